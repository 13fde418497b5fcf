import { type JsonValue, isNumeric, parseJson } from '../../../contract/json/value.ts';
import { sampleSchema } from '../../../contract/sample/sample.ts';
import type { SchemaNode, Shape } from '../../../contract/schema/schema-node.ts';
import type { ItemId } from './item.ts';

/** A way to write a number as an id. */
type Write = (count: number | bigint) => string;

/** So many samples in a row are tried that are not new ids. */
const mostMisses = 200;

/** Makes ids of one form. */
export class IdMaker {
  /** The number of the first one. */
  readonly first: number | bigint;
  readonly #schemas: readonly SchemaNode[];
  readonly #writes: readonly Write[];
  /** Ids made from what the schemas say, for patterns and formats that no usual form fits. */
  readonly #samples = new Set<string>();
  #tries = 0;

  /**
   * `schemas`: what an id has to fit, of the path parameter, and of the members that show it. Where nothing
   * fits all of them, the first counts. `example`: an id that the document shows.
   */
  constructor(schemas: readonly SchemaNode[], example: JsonValue | undefined) {
    const shapes = schemas.map((schema) => schema.shape());
    const shown = shapes.flatMap(({ examples, default: standard }) => [...examples, standard]);
    const hints = [example, ...shown]
      .filter((hint) => typeof hint === 'string')
      .filter((hint) => hint !== '' && hint !== 'string');
    const listed = shapes.flatMap(({ values }) => values ?? []).map(String);
    const writes: Write[] = [];
    if (listed.length > 0)
      writes.push((count) => listed[Number(BigInt(count) - 1n) % listed.length] ?? '');
    if (shapes.some(({ types }) => types.join() === 'integer')) writes.push(String);
    this.#writes = [
      ...writes,
      ...hints.flatMap((hint) => (isUuidText(hint) ? uuidOf : writesLike(hint))),
      String,
      uuidOf,
      (count) => `item-${count}`,
    ];
    this.first = firstCount(shapes);
    this.#schemas =
      [schemas, schemas.slice(0, 1)].find((some) => this.#find(this.first, some) !== undefined) ??
      [];
  }

  /** The id of a number; those of other numbers differ from it. Undefined beyond what the schemas allow. */
  make(count: number | bigint): string | undefined {
    return this.#find(count, this.#schemas);
  }

  /** In a usual form, else a sample with the number in it, else another sample for each number. */
  #find(count: number | bigint, schemas: readonly SchemaNode[]): string | undefined {
    const fits = (text: string): boolean =>
      schemas.every((schema) => idValue(text, schema) !== undefined);
    const findIn = (writes: readonly Write[]): string | undefined => {
      for (const write of writes) {
        const text = write(count);
        if (fits(text)) return text;
      }
      return undefined;
    };
    const draw = (index: number): string | undefined => {
      for (let misses = 0; this.#samples.size <= index && misses < mostMisses; misses += 1) {
        const known = this.#samples.size;
        this.#tries += 1;
        for (const schema of schemas) {
          const sample = { direction: 'response', seed: `${this.#tries}` } as const;
          const { value } = sampleSchema(schema, sample);
          if (typeof value === 'string' && fits(value)) this.#samples.add(value);
        }
        if (this.#samples.size > known) misses = -1;
      }
      return [...this.#samples][index];
    };
    const usual = findIn(this.#writes);
    if (usual !== undefined) return usual;
    const sample = draw(0);
    const counted = sample && findIn(writesLike(sample));
    return counted ?? draw(Number(BigInt(count) - BigInt(this.first)));
  }
}

/**
 * An id as a schema has it: a text, or a number; undefined where neither fits, and for that of a
 * single item, which has none.
 */
export function idValue(key: string, schema: SchemaNode | undefined): ItemId | undefined {
  if (key === '') return undefined;
  const isText = schema?.shape().types.includes('string') ?? true;
  if (isText && isFitting(key, schema)) return key;
  const number = numberIn(key);
  return number !== undefined && isFitting(number, schema) ? number : undefined;
}

function isFitting(id: ItemId, schema: SchemaNode | undefined): boolean {
  return schema === undefined || schema.validate(id).length === 0;
}

/** The integer that a text is, exactly. */
export function numberIn(key: string): number | bigint | undefined {
  const number = Number(key);
  if (Number.isSafeInteger(number) && `${number}` === key) return number;
  if (!/^-?(?:0|[1-9]\d{0,30})$/.test(key)) return undefined;
  const value = key.length < 16 ? Number(key) : parseJson(key);
  return isNumeric(value) ? value : undefined;
}

/** The integer after a number. */
export function successor(count: number | bigint): number | bigint {
  if (typeof count === 'number' && count < Number.MAX_SAFE_INTEGER) return Math.floor(count) + 1;
  const next = BigInt(count) + 1n;
  return next > Number.MAX_SAFE_INTEGER || next < Number.MIN_SAFE_INTEGER ? next : Number(next);
}

function firstCount(shapes: readonly Shape[]): number | bigint {
  let first: number | bigint = 1;
  for (const { minimum } of shapes) {
    if (minimum === undefined || minimum.value < first) continue;
    const least = typeof minimum.value === 'number' ? Math.ceil(minimum.value) : minimum.value;
    const from = minimum.exclusive ? successor(least) : least;
    if (from > first) first = from;
  }
  return first;
}

function uuidOf(count: number | bigint): string {
  return `00000000-0000-4000-8000-${count.toString(16).padStart(12, '0')}`;
}

export function isUuidText(value: JsonValue): boolean {
  return typeof value === 'string' && /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(value);
}

/** An example with another number in it, of the same length where that goes. */
function writesLike(example: string): readonly Write[] {
  const digits = /(?<!\d)\d+$/.exec(example)?.[0].length ?? 0;
  const width = Math.min(4, example.length);
  const hex: Write = (count) => example.slice(0, -width) + count.toString(16).padStart(width, '0');
  const decimal: readonly Write[] = [
    (count) => example.slice(0, -digits) + `${count}`.padStart(digits, '0'),
    (count) => `${example.slice(0, -digits)}${count}`,
  ];
  return [...(digits === 0 ? [] : decimal), hex, (count) => `${example}-${count}`];
}
