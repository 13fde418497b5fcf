import * as fc from 'fast-check';
import { canonicalInteger } from '../../contract/json/number.ts';
import { type JsonValue, isNumeric, renderJson } from '../../contract/json/value.ts';
import { mostSampleItems, mostSampleText } from '../../contract/limits/index.ts';
import { smallest } from '../../contract/list/list.ts';
import { isLargePattern } from '../../contract/pattern/pattern.ts';
import type { JsonType } from '../../contract/schema/keyword/merged-schema.ts';
import type { SchemaNode, Shape, ShapeLimit } from '../../contract/schema/schema-node.ts';

/** No value can be drawn for a schema: none fits, or only some that are too rare to be met. */
export class UndrawableSchema extends Error {
  override readonly name = 'UndrawableSchema';
  /** `what` names the value in the message: `list of 4 different items`. */
  constructor({ pointer }: SchemaNode, options?: ErrorOptions & { readonly what?: string }) {
    super(`no valid ${options?.what ?? 'value'} could be generated for ${pointer}`, options);
  }
}

/** Misses in a row before a schema counts as one that no value can be drawn for. */
const patience = 2000;

/** Deepest nesting that is generated; below it optional members and items are left out. */
const deepest = 4;

/** Schemas that are drawn with optional members: where hundreds refer to each other, not all are. */
const mostDrawn = 5_000;

/**
 * An arbitrary for the values of a schema: edges as often as ordinary values, shrinking towards
 * short and simple ones. Every value fits the schema. Unions are drawn from their alternatives.
 * Drawing throws `UndrawableSchema` where no value is found.
 */
export function arbitraryOf(node: SchemaNode): fc.Arbitrary<JsonValue> {
  return createDrawer()(node, 0).values;
}

/** The values of a schema. */
interface Drawn {
  readonly values: fc.Arbitrary<JsonValue>;
  /** Characters of the smallest of them, at least. */
  readonly least: number;
}

/** Characters of a body that the suite sends, at its smallest, with `perValue` for each value in it. */
export const mostSampleBody = 2 * 1024 * 1024;

/** Characters that each value counts beside those of its texts: it takes memory of its own. */
const perValue = 16;

const tooLarge: Drawn = { values: fc.constant(null), least: Infinity };

function small(values: fc.Arbitrary<JsonValue>): Drawn {
  return { values, least: perValue };
}

/** One of several, without those whose values would be larger than what is sent. */
function oneOf(several: readonly Drawn[]): Drawn {
  const some = several.filter(({ least }) => least <= mostSampleBody);
  if (some.length === 0) return tooLarge;
  const values = fc.oneof(...some.map((each) => each.values));
  return { values, least: smallest(some.map(({ least }) => least)) };
}

type Drawer = (node: SchemaNode, depth: number) => Drawn;

/** Draws from each schema by one arbitrary for each depth, however many refer to it. */
function createDrawer(): Drawer {
  const known = new Map<SchemaNode, Map<number, Drawn>>();
  const edgesOf = new Map<SchemaNode, readonly JsonValue[]>();
  let left = mostDrawn;
  const draw: Drawer = (node, wanted) => {
    left -= 1;
    const depth = left < 0 ? Math.max(wanted, deepest) : wanted;
    const byDepth = known.get(node) ?? new Map<number, Drawn>();
    known.set(node, byDepth);
    const edges = edgesOf.get(node) ?? boundaryValues(node);
    edgesOf.set(node, edges);
    const made = byDepth.get(depth) ?? makeArbitrary(node, depth, edges, draw);
    byDepth.set(depth, made);
    return made;
  };
  return draw;
}

function makeArbitrary(
  node: SchemaNode,
  depth: number,
  edges: readonly JsonValue[],
  draw: Drawer,
): Drawn {
  if (depth > deepest && edges.length > 0) return small(fc.constantFrom(...edges));
  if (depth > 4 * deepest) return small(fc.constant(null));
  const { values, least } = ofShape(node, depth, draw);
  const ordinary = fitting(values, node);
  return {
    values: edges.length === 0 ? ordinary : fc.oneof(ordinary, fc.constantFrom(...edges)),
    least,
  };
}

/** Of a schema that contradicts itself, drawing throws, and not the making of the arbitrary. */
function ofShape(node: SchemaNode, depth: number, draw: Drawer): Drawn {
  try {
    return fromShape(node.shape(), depth, draw);
  } catch (cause) {
    const values = fc.constant(null).map(() => {
      throw new UndrawableSchema(node, { cause });
    });
    return small(values);
  }
}

/** Keeps what fits the schema: keywords that a shape does not show are met that way. */
function fitting(values: fc.Arbitrary<JsonValue>, node: SchemaNode): fc.Arbitrary<JsonValue> {
  let misses = 0;
  return values.filter((value) => {
    const fits = node.validate(value).length === 0;
    misses = fits ? 0 : misses + 1;
    if (misses > patience) throw new UndrawableSchema(node);
    return fits;
  });
}

function fromShape(shape: Shape, depth: number, draw: Drawer): Drawn {
  if (shape.values?.length) return small(fc.constantFrom(...shape.values));
  const { alternatives } = shape;
  return oneOf(
    alternatives.length > 0
      ? alternatives.map((each) => fromShape(shape.narrow(each.shape()), depth + 1, draw))
      : drawnTypes(shape).map((type) => arbitraries[type](shape, depth, draw)),
  );
}

/** The types of the values that are drawn: those that a schema without a type speaks of, or text. */
function drawnTypes(shape: Shape): Shape['types'] {
  if (shape.types.length !== 7) return shape.types;
  if (shape.properties.size > 0 || shape.required.size > 0) return ['object'];
  if (shape.items !== undefined || shape.minItems !== undefined) return ['array'];
  return shape.minimum || shape.maximum || shape.multipleOf !== undefined ? ['number'] : ['string'];
}

const arbitraries: Readonly<
  Record<JsonType, (shape: Shape, depth: number, draw: Drawer) => Drawn>
> = {
  integer: (shape) => small(integers(shape)),
  number: (shape) => small(numbers(shape)),
  string: strings,
  boolean: () => small(fc.boolean()),
  null: () => small(fc.constant(null)),
  array: arrays,
  object: objects,
};

/**
 * Whether a service can be expected to take an integer that its schema allows: without a format or
 * limit that says more, those of 32 bits, as many languages and databases have them.
 */
export function isUsualInteger(
  { format, minimum, maximum }: Shape,
  value: number | bigint,
): boolean {
  if (format !== undefined) return true;
  return value < 0
    ? minimum !== undefined || value >= -(2n ** 31n)
    : maximum !== undefined || value < 2n ** 31n;
}

function integers(shape: Shape): fc.Arbitrary<JsonValue> {
  const bits = [undefined, 'int32'].includes(shape.format) ? 31n : 63n;
  const lower = bound(shape.minimum, 1n);
  const upper = bound(shape.maximum, -1n);
  const least = lower ?? smaller(-(2n ** bits), upper ?? 0n);
  const most = upper ?? larger(2n ** bits - 1n, least);
  const { multipleOf = 1 } = shape;
  const step = Number.isInteger(multipleOf) ? BigInt(multipleOf) : 1n;
  const [min, max] = [ceilDivide(least, step), floorDivide(most, step)];
  if (min > max) return fc.constant(null);
  const smallest = larger(min, -1000n / step);
  const small = fc.bigInt({ min: smallest, max: larger(smallest, smaller(max, 1000n / step)) });
  const nearPowers = [...powers(min * step, max * step)]
    .flatMap((power) => [power - 1n, power, power + 1n, power + 12_345n])
    .map((value) => value / step)
    .filter((value) => value >= min && value <= max);
  const any = fc.bigInt({ min, max });
  return fc
    .oneof(any, small, nearPowers.length === 0 ? any : fc.constantFrom(...nearPowers))
    .map((value) => canonicalInteger(value * step));
}

/** The powers of two, of both signs, at which types and buffers end. */
function* powers(least: bigint, most: bigint): Generator<bigint> {
  for (const bits of [7n, 8n, 15n, 16n, 24n, 31n, 32n, 40n, 52n, 53n, 62n]) {
    for (const power of [2n ** bits, -(2n ** bits)])
      if (power >= least && power <= most) yield power;
  }
}

function smaller(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

function larger(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

function bound(limit: Shape['minimum'], inwards: bigint): bigint | undefined {
  if (limit === undefined) return undefined;
  if (typeof limit.value === 'bigint') return limit.exclusive ? limit.value + inwards : limit.value;
  const value = BigInt(inwards > 0n ? Math.ceil(limit.value) : Math.floor(limit.value));
  return limit.exclusive && Number(value) === limit.value ? value + inwards : value;
}

function floorDivide(value: bigint, step: bigint): bigint {
  const quotient = value / step;
  return value % step < 0n ? quotient - 1n : quotient;
}

function ceilDivide(value: bigint, step: bigint): bigint {
  return -floorDivide(-value, step);
}

function numbers(shape: Shape): fc.Arbitrary<JsonValue> {
  const upper = shape.maximum && Number(shape.maximum.value);
  const min = Number(shape.minimum?.value ?? Math.min(-1e9, upper ?? 0));
  const max = upper ?? Math.max(1e9, min);
  const step = shape.multipleOf;
  if (min > max) return fc.constant(null);
  if (step !== undefined)
    return fc
      .integer({ min: Math.ceil(min / step), max: Math.floor(max / step) })
      .map((value) => plainNumber(roundTo(value * step, step)));
  if (min === max) return fc.constant(plainNumber(min));
  const any = fc.double({
    min,
    max,
    noNaN: true,
    minExcluded: shape.minimum?.exclusive ?? false,
    maxExcluded: shape.maximum?.exclusive ?? false,
  });
  const least = Math.ceil(Math.max(min, -1e12) * 100);
  const most = Math.floor(Math.min(max, 1e12) * 100);
  const cents = fc.integer({ min: least, max: most }).map((value) => value / 100);
  // Without a format services may keep two decimals, as of money.
  const isPlain = shape.format === undefined && most - least > 1000;
  return (isPlain ? cents : fc.oneof(any, cents)).map(plainNumber);
}

/** As JSON carries it back: no negative zero, and an integer in its one form. */
function plainNumber(value: number): JsonValue {
  if (!Number.isInteger(value) || Number.isSafeInteger(value)) return value === 0 ? 0 : value;
  return canonicalInteger(BigInt(value));
}

/** Strips the noise of a product of decimals: 3 × 0.1 is 0.3. */
function roundTo(value: number, step: number): number {
  const decimals = /\.(\d+)/.exec(String(step))?.[1]?.length ?? 0;
  return Number(value.toFixed(decimals));
}

function strings(shape: Shape): Drawn {
  const { minLength = 0, maxLength = 5000, pattern, format } = shape;
  if (minLength > mostSampleText) return tooLarge;
  const texts =
    (format === undefined ? undefined : arbitraryFormat(format)) ??
    (pattern === undefined ? undefined : matching(pattern)) ??
    arbitraryText(minLength, Math.max(minLength, maxLength));
  return { values: texts, least: perValue + minLength };
}

/** Texts of a pattern; undefined for one that is too large, or with syntax that cannot be drawn from. */
function matching(pattern: string): fc.Arbitrary<string> | undefined {
  if (isLargePattern(pattern)) return undefined;
  try {
    return fc.stringMatching(new RegExp(pattern, 'u'));
  } catch {
    return undefined;
  }
}

function arrays(shape: Shape, depth: number, draw: Drawer): Drawn {
  const minLength = shape.minItems ?? 0;
  if (minLength > mostSampleItems) return tooLarge;
  if (depth >= deepest && minLength === 0) return small(fc.constant([]));
  const room = minLength + (depth >= deepest ? 0 : 5);
  const maxLength = Math.max(minLength, Math.min(shape.maxItems ?? room, room));
  const { values: item, least: leastItem } =
    shape.items === undefined ? small(fc.string()) : draw(shape.items, depth + 1);
  const least = perValue + minLength * leastItem;
  const listsOf = (least: number, longest: number): fc.Arbitrary<JsonValue> => {
    const lengths = { minLength: least, maxLength: longest };
    return shape.uniqueItems
      ? uniqueLists(item, lengths, shape.items)
      : fc.array(item, { ...lengths, size: 'max' });
  };
  const some = listsOf(minLength, maxLength);
  const most = Math.min(shape.maxItems ?? maxLength, 40);
  if (most <= minLength) return { values: some, least };
  const full = listsOf(shape.uniqueItems ? minLength : most, most);
  const values = fc.oneof({ weight: 4, arbitrary: some }, { weight: 1, arbitrary: full });
  return { values, least };
}

function objects(shape: Shape, depth: number, draw: Drawer): Drawn {
  const { properties, required } = shape;
  const members: [name: string, values: fc.Arbitrary<JsonValue>][] = [];
  let least = perValue;
  for (const [name, member] of properties) {
    const isRequired = required.has(name);
    if (!isRequired && (depth >= deepest || member.shape().readOnly)) continue;
    const drawn = draw(member, depth + 1);
    if (isRequired) least += drawn.least;
    if (isRequired || drawn.least <= mostSampleBody) members.push([name, drawn.values]);
  }
  const requiredKeys = members.map(([name]) => name).filter((name) => required.has(name));
  const record = fc.record(Object.fromEntries(members), { requiredKeys });
  const whole = record.map((value): JsonValue => ({ ...value }));
  if (typeof shape.additional === 'boolean' || depth >= deepest) return { values: whole, least };
  const rest = fc.dictionary(
    fc.stringMatching(/^[a-z][a-zA-Z0-9]{0,8}$/),
    draw(shape.additional, depth + 1).values,
    { maxKeys: 3 },
  );
  const values = fc.tuple(rest, record).map(([more, value]): JsonValue => ({ ...more, ...value }));
  return { values, least };
}

/** Texts of a format; undefined for one that none are made for. */
function arbitraryFormat(name: string): fc.Arbitrary<string> | undefined {
  return Object.hasOwn(formats, name) ? formats[name]?.() : undefined;
}

const formats: Readonly<Record<string, () => fc.Arbitrary<string>>> = {
  date: () => dates().map((date) => date.toISOString().slice(0, 10)),
  'date-time': () =>
    fc
      .tuple(dates(), fc.constantFrom('Z', '+00:00', '+05:30', '-08:00'))
      .map(([date, zone]) => date.toISOString().replace('Z', zone)),
  time: () => dates().map((date) => date.toISOString().slice(11)),
  decimal: () => fc.integer({ min: 0, max: 99_999 }).map((cents) => (cents / 100).toFixed(2)),
  duration: () => fc.integer({ min: 1, max: 999 }).map((days) => `P${days}D`),
  uuid: () => fc.uuid(),
  email: () => fc.emailAddress(),
  uri: () => fc.webUrl(),
  'uri-reference': () => fc.webUrl(),
  iri: () => fc.webUrl(),
  ipv4: () => fc.ipV4(),
  ipv6: () => fc.ipV6(),
  hostname: () => fc.domain(),
  byte: () => fc.base64String(),
  'json-pointer': () =>
    fc
      .array(fc.stringMatching(/^[a-z0-9]{1,5}$/), { maxLength: 3 })
      .map((parts) => parts.map((part) => `/${part}`).join('')),
};

/** Whole seconds: no document says how much of a second a server keeps. */
function dates(): fc.Arbitrary<Date> {
  const days = [
    '1970-01-01T00:00:00Z',
    '2000-02-29T12:30:00Z',
    '2024-12-31T23:59:59Z',
    '2038-01-19T03:14:08Z',
    '1999-12-31T23:59:59Z',
  ].map((text) => new Date(text));
  return fc.oneof(
    fc
      .date({ min: new Date('1900-01-01'), max: new Date('2099-12-31'), noInvalidDate: true })
      .map((date) => new Date(Math.floor(date.getTime() / 1000) * 1000)),
    fc.constantFrom(...days),
  );
}

/**
 * Lists of different items: of the values of an enumeration, as many of them as there have to be; else
 * of drawn ones, and those that are too short are left to be drawn again.
 */
function uniqueLists(
  item: fc.Arbitrary<JsonValue>,
  { minLength, maxLength }: { readonly minLength: number; readonly maxLength: number },
  items: SchemaNode | undefined,
): fc.Arbitrary<JsonValue> {
  const listed = items?.shape().values?.filter((value) => items.validate(value).length === 0);
  if (listed === undefined || listed.length === 0)
    return fc
      .array(item, { minLength: 4 * minLength, maxLength: 4 * maxLength, size: 'max' })
      .map((list) => distinct(list).slice(0, maxLength));
  const values = distinct(listed);
  if (values.length < minLength) return fc.constant(null);
  return fc.shuffledSubarray(values, {
    minLength,
    maxLength: Math.min(maxLength, values.length),
  });
}

function distinct(values: readonly JsonValue[]): JsonValue[] {
  return [...new Map(values.map((value) => [renderJson(value), value])).values()];
}

/** Valid values at the edges of a schema, the most telling first: enumerated, ends, lengths. */
export function boundaryValues(node: SchemaNode): readonly JsonValue[] {
  const shape = node.shape();
  const { types, values, examples } = shape;
  const limits = Map.groupBy(shape.limits(), ({ facet }) => facet === 'format');
  const isUsual = (value: JsonValue): boolean => !isNumeric(value) || isUsualInteger(shape, value);
  const candidates = [
    ...(values ?? []),
    ...types.flatMap((type) => [
      ...edgesOf(limits.get(false), type),
      ...plainEdges[type].filter(isUsual),
      ...edgesOf(limits.get(true), type),
    ]),
    ...examples,
  ];
  const distinct = new Map(
    candidates.map((value) => [
      typeof value === 'object' ? renderJson(value) : `${typeof value} ${String(value)}`,
      value,
    ]),
  );
  return [...distinct.values()].filter((value) => node.validate(value).length === 0);
}

function edgesOf(limits: readonly ShapeLimit[] = [], type: JsonType): readonly JsonValue[] {
  const wanted = type === 'integer' ? 'number' : type;
  return limits.flatMap(({ edges }) => edges?.() ?? []).filter((value) => typeOf(value) === wanted);
}

function typeOf(value: JsonValue): string {
  if (typeof value !== 'object') return typeof value === 'bigint' ? 'number' : typeof value;
  return value === null ? 'null' : Array.isArray(value) ? 'array' : 'object';
}

/** The edges of a type itself, as far as the schema allows them. */
const plainEdges: Readonly<Record<JsonType, readonly JsonValue[]>> = {
  integer: [
    0,
    2n ** 53n + 1n,
    2n ** 63n - 1n,
    -(2n ** 63n),
    ...[2n ** 31n, 2n ** 32n, 2n ** 53n].flatMap((end) =>
      [end - 1n, end, end + 1n].flatMap((each) => [
        canonicalInteger(each),
        canonicalInteger(-each),
      ]),
    ),
  ],
  number: [0, 0.5, -1.25],
  string: ['Zoë Ångström 狗'],
  boolean: [true, false],
  null: [null],
  array: [[]],
  object: [],
};

/** Lengths at which storage, buffers and column types end. */
export const telltaleLengths = [
  1, 2, 3, 15, 16, 17, 31, 32, 33, 63, 64, 65, 100, 127, 128, 129, 200, 255, 256, 257, 500, 512,
  1000, 1023, 1024, 1025, 2049, 4097,
] as const;

/** Parts that careless code reads as something else than text; NUL, which few databases keep, is not among them. */
const traps = [
  ['  ', '\t', '\n', '\r\n', '\u001f', '\u007f', '\u2028'],
  ['"', "'", '\\', '\\n', '%20', '+', '&amp;', '<b>', '--', ';', '$1', '{0}', '${x}'],
  ['é', 'e\u0301', 'ß', 'İ', 'ı', 'ﬁ', '狗', 'שלום', '🐾', '👩‍👩‍👧', '\u200b', '\ufeff', '\ufffd'],
  ['null', 'true', 'NaN', '0', '-1', '1e5', 'undefined'],
].flat();

/** Characters that are often lost at the end or the beginning of a text. */
const margins = [' ', '\t', '\n', '\\', '"', "'", '.', '/', '\u00a0', '0'];

/** Longer texts are not drawn character by character, which takes seconds of a million. */
const longestDense = 10_000;

/** Texts of so many code points: traps, any characters, and lengths that often break something. */
function arbitraryText(minLength: number, maxLength: number): fc.Arbitrary<string> {
  const edges = telltaleLengths.filter((length) => length >= minLength && length <= maxLength);
  const most = Math.min(maxLength, minLength + 60);
  const length =
    edges.length === 0
      ? fc.constant(minLength)
      : fc.oneof(fc.constantFrom(...edges), fc.integer({ min: minLength, max: most }));
  const dense = length.chain((size) =>
    fc
      .array(anyCharacter(), { minLength: size, maxLength: size, size: 'max' })
      .map((characters) => characters.join('')),
  );
  const trapped = fc
    .array(fc.oneof(fc.constantFrom(...traps), fc.string({ maxLength: 5 })), { maxLength: 12 })
    .map((parts) => parts.join(''));
  const plain = fc.string({ minLength, maxLength: most });
  const end = fc.constantFrom(...margins, '');
  const margin = fc.tuple(end, fc.string({ maxLength: 9 }), end).map((parts) => parts.join(''));
  /** Cut or filled to a length in code points, which JSON Schema counts in. */
  const fit = (text: string): string => {
    const points = Array.from(text).slice(0, maxLength);
    return points.join('') + 'a'.repeat(Math.max(0, minLength - points.length));
  };
  const filled = [trapped.map(fit), margin.map(fit)];
  return minLength > longestDense ? fc.oneof(...filled) : fc.oneof(plain, ...filled, dense);
}

/** Characters of every plane, the common ones more often; none of half a pair. */
function anyCharacter(): fc.Arbitrary<string> {
  return fc
    .oneof(
      { weight: 3, arbitrary: fc.integer({ min: 0x20, max: 0x7e }) },
      { weight: 3, arbitrary: fc.integer({ min: 0xa0, max: 0x2fff }) },
      { weight: 2, arbitrary: fc.integer({ min: 0x3000, max: 0xd7ff }) },
      { weight: 1, arbitrary: fc.integer({ min: 0xe000, max: 0xfffd }) },
      { weight: 2, arbitrary: fc.integer({ min: 0x1_0000, max: 0x10_ffff }) },
    )
    .map((point) => String.fromCodePoint(point));
}
