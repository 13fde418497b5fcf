import { type JsonValue, isNumeric, parseJson } from '../../../contract/json/value.ts';
import { sampleSchema } from '../../../contract/sample/sample.ts';
import type { SchemaNode, Shape } from '../../../contract/schema/schema-node.ts';
import type { ItemId } from './item.ts';

/** Writes a number as an id. */
type Write = (count: number | bigint) => string;

/** Most consecutive samples that yield no new id. */
const maxMisses = 200;

/** Generates ids of one form. If no generated id fits all schemas, it fits as many as possible. */
export class IdMaker {
  /** The first number. */
  readonly first: number | bigint;
  readonly #schemas: readonly SchemaNode[];
  readonly #writes: readonly Write[];
  /** Ids sampled from the schemas, for patterns and formats that no usual form fits. */
  readonly #samples = new Set<string>();
  #tries = 0;
  #misses = 0;
  #canFit: boolean | undefined;

  /**
   * `schemas`: those that an id must fit, of the path parameter and of members that show it.
   * `example`: an id that the document shows.
   */
  constructor(schemas: readonly SchemaNode[], example: JsonValue | undefined) {
    const shapes = schemas.map((schema) => schema.shape());
    const shown = shapes.flatMap(({ examples, default: standard }) => [...examples, standard]);
    const hints = [example, ...shown]
      .filter((hint) => typeof hint === 'string')
      .filter((hint) => hint !== '' && hint !== 'string');
    const listed = shapes.flatMap(({ values }) => values ?? []).map(String);
    const isUuid =
      shapes.some(({ format = '' }) => /^(?:uu|gu)id$/i.test(format)) || hints.some(isUuidText);
    const writes: Write[] = [];
    if (listed.length > 0)
      writes.push((count) => listed[Number(BigInt(count) - 1n) % listed.length] ?? '');
    if (shapes.some(({ types }) => types.join() === 'integer')) writes.push(String);
    if (isUuid) writes.push(uuidOf);
    this.#writes = [...writes, ...hints.flatMap(writesLike), ...usualWrites];
    this.#schemas = schemas;
    this.first = firstCount(shapes);
  }

  /**
   * The id for a number; different numbers have different ids. Undefined beyond what the schemas
   * allow.
   */
  make(count: number | bigint): string | undefined {
    const found = this.#findFitting(count);
    if (found !== undefined) return found;
    this.#canFit ??= this.#findFitting(this.first) !== undefined;
    if (this.#canFit) return undefined;
    const [best] = this.#writes
      .map((write) => write(count))
      .toSorted((one, other) => this.#countFitting(other) - this.#countFitting(one));
    return best;
  }

  #countFitting(text: string): number {
    return this.#schemas.filter((schema) => idValue(text, schema) !== undefined).length;
  }

  #fits(text: string): boolean {
    return this.#schemas.every((schema) => idValue(text, schema) !== undefined);
  }

  /** In a usual form, else a sample that contains the number, else a separate sample per number. */
  #findFitting(count: number | bigint): string | undefined {
    const usual = this.#findIn(this.#writes, count);
    if (usual !== undefined) return usual;
    this.#drawUntil(1);
    const [sample] = this.#samples;
    const counted = sample && this.#findIn(writesLike(sample), count);
    if (counted !== undefined) return counted;
    const index = Number(BigInt(count) - BigInt(this.first));
    this.#drawUntil(index + 1);
    return [...this.#samples][index];
  }

  #findIn(writes: readonly Write[], count: number | bigint): string | undefined {
    for (const write of writes) {
      const text = write(count);
      if (this.#fits(text)) return text;
    }
    return undefined;
  }

  #drawUntil(size: number): void {
    while (this.#samples.size < size && this.#misses < maxMisses) {
      this.#tries += 1;
      this.#misses += 1;
      for (const schema of this.#schemas) {
        if (!schema.shape().types.includes('string')) continue;
        const { value } = sampleSchema(schema, { direction: 'response', seed: `${this.#tries}` });
        if (typeof value !== 'string' || !this.#fits(value)) continue;
        if (!this.#samples.has(value)) this.#misses = 0;
        this.#samples.add(value);
        break;
      }
    }
  }
}

/** The forms that are tried last. */
const usualWrites: readonly Write[] = [
  String,
  uuidOf,
  (count) => `item-${count}`,
  (count) => `item${count}`,
  (count) => letters(count, 3),
  (count) => `${count}`.padStart(10, '0'),
  (count) => `${count}`.padStart(24, '0'),
];

/**
 * An id in the type of its schema: text or number; undefined if neither fits, and for a single
 * item, which has none.
 */
export function idValue(key: string, schema: SchemaNode | undefined): ItemId | undefined {
  if (key === '') return undefined;
  const isText = schema?.shape().types.includes('string') ?? true;
  if (isText && isFitting(key, schema)) return key;
  const number = numberIn(key);
  return number !== undefined && isFitting(number, schema) ? number : undefined;
}

function isFitting(id: ItemId, schema: SchemaNode | undefined): boolean {
  return schema === undefined || schema.isValid(id);
}

/** The exact integer in a text. */
export function numberIn(key: string): number | bigint | undefined {
  const number = Number(key);
  if (Number.isSafeInteger(number) && `${number}` === key) return number;
  if (!/^-?(?:0|[1-9]\d{0,30})$/.test(key)) return undefined;
  const value = key.length < 16 ? Number(key) : parseJson(key);
  return isNumeric(value) ? value : undefined;
}

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

/** An example with another number in it, of the same length if possible. */
function writesLike(example: string): readonly Write[] {
  if (isUuidText(example))
    return [(count) => example.slice(0, -8) + count.toString(16).padStart(8, '0')];
  const digits = /(?<!\d)\d+$/.exec(example)?.[0].length ?? 0;
  const width = Math.min(4, example.length);
  const head = example.slice(0, -width);
  const counted: readonly Write[] = [
    (count) => example.slice(0, -digits) + `${count}`.padStart(digits, '0'),
    (count) => `${example.slice(0, -digits)}${count}`,
  ];
  return [
    ...(digits === 0 ? [] : counted),
    (count) => head + count.toString(16).padStart(width, '0'),
    (count) => head + count.toString(16).padStart(width, '0').toUpperCase(),
    (count) => head + letters(count, width),
    (count) => head + letters(count, width).toUpperCase(),
    (count) => `${example}-${count}`,
    (count) => `${example}${count}`,
  ];
}

/** A number in letters, `a` for 0. */
function letters(count: number | bigint, width: number): string {
  let text = '';
  for (let rest = BigInt(count); rest > 0n; rest /= 26n)
    text = String.fromCharCode(97 + Number(rest % 26n)) + text;
  return text.padStart(width, 'a');
}
