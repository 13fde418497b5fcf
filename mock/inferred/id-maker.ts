import { type JsonValue, type SchemaNode, largest } from '../../contract/index.ts';

/** What ids of a resource look like. */
export interface IdForm {
  /** Schemas that an id has to fit: of the path parameter, and of the members that show it. */
  readonly schemas: readonly SchemaNode[];
  /** An id that the document shows. */
  readonly example: JsonValue | undefined;
}

/** The id number `count` of a form, as a text: it differs from those of other numbers. */
export function makeId({ schemas, example }: IdForm, count: number): string {
  const candidates = listCandidates(schemas, example, count);
  const perfect = candidates.find((text) => countFitting(schemas, text) === schemas.length);
  if (perfect !== undefined) return perfect;
  const weighed = candidates.map((text) => ({ text, fits: countFitting(schemas, text) }));
  return weighed.toSorted((a, b) => b.fits - a.fits)[0]?.text ?? `${count}`;
}

function listCandidates(
  schemas: readonly SchemaNode[],
  example: JsonValue | undefined,
  count: number,
): readonly string[] {
  const shapes = schemas.map((schema) => schema.shape());
  const uuid = `00000000-0000-4000-8000-${count.toString(16).padStart(12, '0')}`;
  const hints = [
    ...(example === undefined ? [] : [example]),
    ...shapes.flatMap(({ examples, default: standard }) => [
      ...examples,
      ...(standard === undefined ? [] : [standard]),
    ]),
  ].filter((hint) => typeof hint === 'string' && hint !== '' && hint !== 'string');
  const mutated = hints.flatMap((hint) => (typeof hint === 'string' ? variants(hint, count) : []));
  const counted = shapes.some(({ types }) => types.length === 1 && types[0] === 'integer');
  const least = largest(
    shapes.map(({ minimum }) => Number(minimum?.value ?? 0)),
    0,
  );
  const number = `${count + (least > 1 ? Math.ceil(least) : 0)}`;
  const isUuid = shapes.some(({ format }) => format === 'uuid') || hints.some(isUuidText);
  const values = shapes.flatMap(({ values: listed }) => listed ?? []).map(String);
  const listed = values.length === 0 ? [] : [values[(count - 1) % values.length] ?? ''];
  return [
    ...listed,
    ...(counted ? [number] : []),
    ...(isUuid ? [uuid] : []),
    ...mutated,
    number,
    uuid,
    uuid.replaceAll('-', ''),
    `item-${count}`,
    `item${count}`,
    letters(count, 3),
    letters(count, 26),
    number.padStart(10, '0'),
    number.padStart(24, '0'),
    `item${count}@example.org`,
    `10.0.${count >> 8}.${count & 255}`,
    `2001:db8::${count.toString(16)}`,
    `https://example.org/${count}`,
    new Date(Date.UTC(2024, 0, count)).toISOString().slice(0, 10),
    new Date(Date.UTC(2024, 0, count)).toISOString(),
  ];
}

function isUuidText(value: JsonValue): boolean {
  return typeof value === 'string' && /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(value);
}

/** An example with another number in it, of the same length where that goes. */
function variants(example: string, count: number): readonly string[] {
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
function letters(count: number, width: number): string {
  let text = '';
  for (let rest = count; rest > 0; rest = Math.floor(rest / 26))
    text = String.fromCharCode(97 + (rest % 26)) + text;
  return text.padStart(width, 'a');
}

function countFitting(schemas: readonly SchemaNode[], text: string): number {
  return schemas.filter((schema) => fits(schema, text)).length;
}

function fits(schema: SchemaNode, text: string): boolean {
  if (schema.validate(text).length === 0) return true;
  return /^-?\d{1,15}$/.test(text) && schema.validate(Number(text)).length === 0;
}
