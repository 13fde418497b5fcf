import { type JsonValue, isNumeric, parseJson } from '../../../contract/json/value.ts';
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
  const candidates = (count: number | bigint): readonly string[] => [
    ...(listed.length === 0 ? [] : [listed[Number(BigInt(count) - 1n) % listed.length] ?? '']),
    ...(isCounted ? [`${count}`] : []),
    ...(isUuid ? [uuidOf(count)] : []),
    ...hints.flatMap((hint) => variants(hint, count)),
    ...usualForms(count),
  ];
  const findFitting = (count: number | bigint): string | undefined => {
    const plain = `${count}`;
    if (isCounted && listed.length === 0 && fits(plain)) return plain;
    return candidates(count).find(fits);
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
  const small = Number(BigInt(count) % 65_536n);
  const uuid = uuidOf(count);
  const day = new Date(Date.UTC(2024, 0, small)).toISOString();
  return [
    `${count}`,
    uuid,
    uuid.replaceAll('-', ''),
    `item-${count}`,
    `item${count}`,
    letters(count, 3),
    letters(count, 26),
    `${count}`.padStart(10, '0'),
    `${count}`.padStart(24, '0'),
    `item${count}@example.org`,
    `10.0.${small >> 8}.${small & 255}`,
    `2001:db8::${small.toString(16)}`,
    `https://example.org/${count}`,
    day.slice(0, 10),
    day,
  ];
}

function isUuidText(value: JsonValue): boolean {
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
