import { type JsonValue, isNumeric, parseJson } from '../../../contract/json/value.ts';
import { sampleSchema } from '../../../contract/sample/sample.ts';
import type { SchemaNode, Shape } from '../../../contract/schema/schema-node.ts';
import type { ItemId } from './item.ts';

/** What ids of a resource look like. */
export interface IdForm {
  /** Schemas that an id has to fit: of the path parameter, and of the members that show it. */
  readonly schemas: readonly SchemaNode[];
  /** An id that the document shows. */
  readonly example: JsonValue | undefined;
}

/** Makes ids of one form. */
export interface IdMaker {
  /** The number of the first one. */
  readonly first: number | bigint;
  /** The id of a number; those of other numbers differ from it. Undefined beyond what the schemas allow. */
  readonly make: (count: number | bigint) => string | undefined;
}

/** Compiles it. Where nothing that is made fits all schemas, ids fit as many as possible. */
export function compileIdMaker({ schemas, example }: IdForm): IdMaker {
  const shapes = schemas.map((schema) => schema.shape());
  const hints = [
    ...(example === undefined ? [] : [example]),
    ...shapes.flatMap(({ examples, default: standard }) => [
      ...examples,
      ...(standard === undefined ? [] : [standard]),
    ]),
  ].flatMap((hint) => (typeof hint === 'string' && hint !== '' && hint !== 'string' ? [hint] : []));
  const listed = shapes.flatMap(({ values }) => values ?? []).map(String);
  const isCounted = shapes.some(({ types }) => types.length === 1 && types[0] === 'integer');
  const isUuid = shapes.some(({ format }) => format === 'uuid') || hints.some(isUuidText);
  const first = firstCount(shapes);
  const countFitting = (text: string): number =>
    schemas.filter((schema) => idValue(text, schema) !== undefined).length;
  const fits = (text: string): boolean => countFitting(text) === schemas.length;
  const areNumbers = shapes.every(({ types }) => types.length === 1 && types[0] === 'integer');
  const fitsCount = (count: number | bigint, text: string): boolean =>
    areNumbers ? schemas.every((schema) => schema.validate(count).length === 0) : fits(text);
  const candidates = (count: number | bigint): readonly string[] => [
    ...(listed.length === 0 ? [] : [listed[Number(BigInt(count) - 1n) % listed.length] ?? '']),
    ...(isCounted ? [`${count}`] : []),
    ...(isUuid ? [uuidOf(count)] : []),
    ...hints.flatMap((hint) => variants(hint, count)),
    ...usualForms(count),
  ];
  const samples = new IdSamples(schemas, fits);
  const findFitting = (count: number | bigint): string | undefined => {
    const plain = `${count}`;
    if (isCounted && listed.length === 0 && fitsCount(count, plain)) return plain;
    return (
      candidates(count).find(fits) ?? samples.find(count, Number(BigInt(count) - BigInt(first)))
    );
  };
  const findBest = (count: number | bigint): string | undefined =>
    candidates(count)
      .map((text) => ({ text, fitting: countFitting(text) }))
      .toSorted((a, b) => b.fitting - a.fitting)[0]?.text;
  let canFit: boolean | undefined;
  return {
    first,
    make(count) {
      const found = findFitting(count);
      if (found !== undefined) return found;
      canFit ??= findFitting(first) !== undefined;
      return canFit ? undefined : findBest(count);
    },
  };
}

/** So many samples in a row are tried that are not new ids. */
const mostMisses = 200;

/** Ids made from what the schemas say, for patterns and formats that no usual form fits. */
class IdSamples {
  readonly #schemas: readonly SchemaNode[];
  readonly #fits: (text: string) => boolean;
  readonly #found = new Set<string>();
  #hint: string | undefined;
  #tries = 0;
  #misses = 0;

  constructor(schemas: readonly SchemaNode[], fits: (text: string) => boolean) {
    this.#schemas = schemas.filter((schema) => schema.shape().types.includes('string'));
    this.#fits = fits;
  }

  /** The id of a number, which is the one at `index`: a sample with the number in it, else another sample. */
  find(count: number | bigint, index: number): string | undefined {
    this.#hint ??= this.#draw();
    const counted = this.#hint && variants(this.#hint, count).find(this.#fits);
    if (counted !== undefined) return counted;
    while (this.#found.size <= index && this.#misses < mostMisses) this.#draw();
    return [...this.#found][index];
  }

  /** A sample that is an id, new or not. */
  #draw(): string | undefined {
    this.#tries += 1;
    this.#misses += 1;
    for (const schema of this.#schemas) {
      const { value } = sampleSchema(schema, { direction: 'response', seed: `${this.#tries}` });
      if (typeof value !== 'string' || !this.#fits(value)) continue;
      if (!this.#found.has(value)) this.#misses = 0;
      this.#found.add(value);
      return value;
    }
    return undefined;
  }
}

/**
 * An id as a schema has it: a text, or a number; undefined where neither fits, and for that of a
 * single item, which has none.
 */
export function idValue(key: string, schema: SchemaNode | undefined): ItemId | undefined {
  if (key === '') return undefined;
  const types = schema?.shape().types;
  const fits = (value: ItemId): boolean => (schema?.validate(value).length ?? 0) === 0;
  if ((types === undefined || types.includes('string')) && fits(key)) return key;
  const number = numberIn(key);
  return number !== undefined && fits(number) ? number : undefined;
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

function usualForms(count: number | bigint): readonly string[] {
  return [
    `${count}`,
    uuidOf(count),
    `item-${count}`,
    `item${count}`,
    letters(count, 3),
    `${count}`.padStart(10, '0'),
    `${count}`.padStart(24, '0'),
  ];
}

export function isUuidText(value: JsonValue): boolean {
  return typeof value === 'string' && /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(value);
}

/** An example with another number in it, of the same length where that goes. */
function variants(example: string, count: number | bigint): readonly string[] {
  const digits = /(?<!\d)\d+$/.exec(example)?.[0];
  if (isUuidText(example)) {
    const number = count.toString(16).padStart(8, '0');
    return [example.slice(0, -8) + number];
  }
  const withNumber =
    digits === undefined
      ? []
      : [`${count}`.padStart(digits.length, '0'), `${count}`].map(
          (number) => example.slice(0, -digits.length) + number,
        );
  const width = Math.min(4, example.length);
  const head = example.slice(0, -width);
  return [
    ...withNumber,
    head + count.toString(16).padStart(width, '0'),
    head + letters(count, width),
    head + letters(count, width).toUpperCase(),
    `${example}-${count}`,
    `${example}${count}`,
  ];
}

/** A number in letters, `a` for 0. */
function letters(count: number | bigint, width: number): string {
  let text = '';
  for (let rest = BigInt(count); rest > 0n; rest /= 26n)
    text = String.fromCharCode(97 + Number(rest % 26n)) + text;
  return text.padStart(width, 'a');
}
