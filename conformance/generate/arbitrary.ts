import * as fc from 'fast-check';
import { canonicalInteger } from '../../contract/json/number.ts';
import { type JsonValue, isNumeric, renderJson } from '../../contract/json/value.ts';
import { maxSampleItems, maxSampleText } from '../../contract/limits/index.ts';
import { smallest } from '../../contract/list/list.ts';
import { isLargePattern } from '../../contract/pattern/pattern.ts';
import type { JsonType } from '../../contract/schema/keyword/merged-schema.ts';
import type {
  SchemaNode,
  SchemaRegistry,
  Shape,
  ShapeLimit,
} from '../../contract/schema/schema-node.ts';
import { once } from '../../contract/memo/once.ts';

/** No valid value could be generated for a schema: there is none, or valid ones are too rare. */
export class UndrawableSchema extends Error {
  override readonly name = 'UndrawableSchema';
  constructor({ pointer }: SchemaNode, options?: ErrorOptions) {
    super(`no valid value could be generated for ${pointer}`, options);
  }
}

/**
 * Invalid values in a row after which generation is given up: fewer in a document with many paths,
 * where many schemas may have no valid value.
 */
const patienceOf = once((document: SchemaRegistry) =>
  Math.max(300, Math.min(2000, 40_000 / document.pathCount)),
);

/** Steps of judging an invalid value that count as one more. Most take fewer. */
const stepsOfMiss = 100;

/** Deepest nesting that is generated; below it optional members and items are left out. */
const deepest = 4;

/**
 * Schemas that are generated with optional members, which bounds documents whose schemas refer to
 * each other by the hundred.
 */
const maxDrawn = 5_000;

/**
 * An arbitrary for the values of a schema: edges as often as ordinary values, shrinking towards
 * short and simple ones. Every value is valid. Unions are drawn from their alternatives. Drawing
 * throws `UndrawableSchema` if no value is found.
 */
export function arbitraryOf(node: SchemaNode): fc.Arbitrary<JsonValue> {
  return createDrawer()(node, 0).values;
}

/** The values of a schema. */
interface Drawn {
  readonly values: fc.Arbitrary<JsonValue>;
  /** Minimum size of the smallest one, in characters. */
  readonly least: number;
}

/**
 * Largest minimum size of a body that the suite sends, in characters, with `perValue` for each
 * value.
 */
export const maxSampleBody = 2 * 1024 * 1024;

/** Characters that each value counts besides those of its texts, for the memory that it takes. */
const perValue = 16;

const tooLarge: Drawn = { values: fc.constant(null), least: Infinity };

function small(values: fc.Arbitrary<JsonValue>): Drawn {
  return { values, least: perValue };
}

/** Chooses one of several, without those whose values are too large to send. */
function oneOf(several: readonly Drawn[]): Drawn {
  const some = several.filter(({ least }) => least <= maxSampleBody);
  if (some.length === 0) return tooLarge;
  const values = fc.oneof(...some.map((each) => each.values));
  return { values, least: smallest(some.map(({ least }) => least)) };
}

type Drawer = (node: SchemaNode, depth: number) => Drawn;

/** Creates one arbitrary for each schema and depth, however many schemas refer to it. */
function createDrawer(): Drawer {
  const known = new Map<SchemaNode, Drawn[]>();
  let left = maxDrawn;
  const draw: Drawer = (node, wanted) => {
    left -= 1;
    const depth = left < 0 ? Math.max(wanted, deepest) : wanted;
    const byDepth = known.get(node) ?? [];
    known.set(node, byDepth);
    return (byDepth[depth] ??= makeArbitrary(node, depth, draw));
  };
  return draw;
}

function makeArbitrary(node: SchemaNode, depth: number, draw: Drawer): Drawn {
  const edges = boundaryValues(node);
  if (depth > deepest && edges.length > 0) return small(fc.constantFrom(...edges));
  if (depth > 4 * deepest) return small(fc.constant(null));
  const { values, least } = ofShape(node, depth, draw);
  const ordinary = fitting(values, node);
  return {
    values: edges.length === 0 ? ordinary : fc.oneof(ordinary, fc.constantFrom(...edges)),
    least,
  };
}

/** For a schema that contradicts itself, drawing throws, not the creation of the arbitrary. */
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

/** Keeps valid values only, which covers keywords that a shape does not show. */
function fitting(values: fc.Arbitrary<JsonValue>, node: SchemaNode): fc.Arbitrary<JsonValue> {
  const patience = patienceOf(node.registry);
  let misses = 0;
  return values.filter((value) => {
    const { isSound, steps = 0 } = node.judge(value);
    misses = isSound ? 0 : misses + 1 + Math.floor(steps / stepsOfMiss);
    if (misses > patience) throw new UndrawableSchema(node);
    return isSound;
  });
}

function fromShape(shape: Shape, depth: number, draw: Drawer): Drawn {
  if (shape.values?.length) return small(fc.constantFrom(...shape.values));
  if (depth > 4 * deepest) return small(fc.constant(null));
  // Unions in unions have exponentially many alternatives.
  const alternatives = shape.alternatives.slice(0, depth > 2 * deepest ? 1 : undefined);
  return oneOf(
    alternatives.length > 0
      ? alternatives.map((each) => fromShape(shape.narrow(each.shape()), depth + 1, draw))
      : drawnTypes(shape).map((type) => arbitraries[type](shape, depth, draw)),
  );
}

/**
 * The types to generate. For a schema without types: those that its keywords are about, or text.
 */
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
 * Whether a service can be expected to accept an integer that its schema allows: without a format
 * or limit, only those of 32 bits, which many languages and databases have.
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

/** Values of the whole range as often as small ones, rounded to multiples. */
function integers({ format, minimum, maximum, multipleOf = 1 }: Shape): fc.Arbitrary<JsonValue> {
  const span = 2n ** ([undefined, 'int32'].includes(format) ? 31n : 63n);
  const [lower, upper] = [bound(minimum, 1n), bound(maximum, -1n)];
  const min = lower ?? (upper !== undefined && upper < 0n ? upper - span : -span);
  const max = upper ?? (min > 0n ? min + span : span - 1n);
  if (min > max) return fc.constant(null);
  const start = min > -1000n ? min : max < -1000n ? max : -1000n;
  const small = fc.bigInt({ min: start, max: max < start + 1000n ? max : start + 1000n });
  const step = Number.isInteger(multipleOf) ? BigInt(multipleOf) : 1n;
  return fc
    .oneof(fc.bigInt({ min, max }), small)
    .map((value) => canonicalInteger(value - (value % step)));
}

function bound(limit: Shape['minimum'], inwards: bigint): bigint | undefined {
  if (limit === undefined) return undefined;
  if (typeof limit.value === 'bigint') return limit.exclusive ? limit.value + inwards : limit.value;
  const value = BigInt(inwards > 0n ? Math.ceil(limit.value) : Math.floor(limit.value));
  return limit.exclusive && Number(value) === limit.value ? value + inwards : value;
}

/** Multiples of a step. Without one, mostly multiples of 0.01, because services may store money. */
function numbers({ minimum, maximum, multipleOf, format }: Shape): fc.Arbitrary<JsonValue> {
  const upper = maximum && Number(maximum.value);
  const min = Number(minimum?.value ?? Math.min(-1e9, upper ?? 0));
  const max = upper ?? Math.max(1e9, min);
  if (min > max) return fc.constant(null);
  const step = multipleOf ?? 0.01;
  // 3 × 0.1 is 0.3.
  const decimals = /\.(\d+)/.exec(String(step))?.[1]?.length ?? 0;
  const least = Math.ceil(Math.max(min, -1e12) / step);
  const most = Math.floor(Math.min(max, 1e12) / step);
  const any = fc.double({ min, max, noNaN: true }).map(plainNumber);
  if (least > most) return any;
  const rounded = fc
    .integer({ min: least, max: most })
    .map((value) => plainNumber(Number((value * step).toFixed(decimals))));
  const isPlain = format === undefined && most - least > 1000;
  return multipleOf !== undefined || isPlain ? rounded : fc.oneof(any, rounded);
}

/** A number as JSON returns it: no negative zero, and integers in their canonical form. */
function plainNumber(value: number): JsonValue {
  if (!Number.isInteger(value) || Number.isSafeInteger(value)) return value === 0 ? 0 : value;
  return canonicalInteger(BigInt(value));
}

function strings(shape: Shape): Drawn {
  const { minLength = 0, maxLength = 5000, pattern, format } = shape;
  if (minLength > maxSampleText) return tooLarge;
  const texts =
    (format === undefined ? undefined : arbitraryFormat(format)) ??
    (pattern === undefined ? undefined : matching(pattern)) ??
    arbitraryText(minLength, Math.max(minLength, maxLength));
  return { values: texts, least: perValue + minLength };
}

/** Texts that match a pattern; undefined if it is too large or has unsupported syntax. */
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
  if (minLength > maxSampleItems) return tooLarge;
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
    if (isRequired || drawn.least <= maxSampleBody) members.push([name, drawn.values]);
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

/** Texts of a format; undefined for an unknown one. */
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

/** Whole seconds, because documents do not say which fractions a server keeps. */
function dates(): fc.Arbitrary<Date> {
  const ends = ['1970-01-01T00:00:00Z', '2000-02-29T12:30:00Z', '2038-01-19T03:14:08Z'];
  return fc.oneof(
    fc
      .integer({ min: Date.UTC(1900) / 1000, max: Date.UTC(2099) / 1000 })
      .map((seconds) => new Date(seconds * 1000)),
    fc.constantFrom(...ends).map((text) => new Date(text)),
  );
}

/**
 * Lists of distinct items: enumerated values if there are enough of them, otherwise generated ones.
 * Lists that turn out too short are generated again.
 */
function uniqueLists(
  item: fc.Arbitrary<JsonValue>,
  { minLength, maxLength }: { readonly minLength: number; readonly maxLength: number },
  items: SchemaNode | undefined,
): fc.Arbitrary<JsonValue> {
  const listed = distinct(items?.shape().values?.filter((each) => items.isValid(each)));
  if (listed.length === 0)
    return fc
      .array(item, { minLength: 4 * minLength, maxLength: 4 * maxLength, size: 'max' })
      .map((list) => {
        const found = distinct(list);
        // Of four times as many values as are needed, most are the same: there are too few.
        if (items !== undefined && minLength >= 20 && found.length < 0.9 * minLength)
          throw new UndrawableSchema(items);
        return found.slice(0, maxLength);
      });
  if (listed.length < minLength) return fc.constant(null);
  return fc.shuffledSubarray(listed, {
    minLength,
    maxLength: Math.min(maxLength, listed.length),
  });
}

function distinct(values: readonly JsonValue[] = []): JsonValue[] {
  return [...new Map(values.map((value) => [renderJson(value), value])).values()];
}

/**
 * Valid values at the edges of a schema, the most revealing first: enumerated values, ends of
 * ranges, lengths.
 */
export const boundaryValues = once((node: SchemaNode): readonly JsonValue[] => {
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
  return distinct(candidates).filter((value) => node.isValid(value));
});

function edgesOf(limits: readonly ShapeLimit[] = [], type: JsonType): readonly JsonValue[] {
  return limits.flatMap(({ edges }) => edges?.() ?? []).filter((value) => isOfType(value, type));
}

function isOfType(value: JsonValue, type: JsonType): boolean {
  if (isNumeric(value)) return type === 'number' || type === 'integer';
  if (value === null || typeof value !== 'object')
    return type === (value === null ? 'null' : typeof value);
  return type === (Array.isArray(value) ? 'array' : 'object');
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

/** Lengths at which storage, buffers and column types commonly end. */
export const telltaleLengths = [
  1, 2, 3, 15, 16, 17, 31, 32, 33, 63, 64, 65, 100, 127, 128, 129, 200, 255, 256, 257, 500, 512,
  1000, 1023, 1024, 1025, 2049, 4097,
] as const;

/**
 * Parts that careless code does not treat as text, or loses at the end of one. Without NUL, which
 * few databases store.
 */
const traps = [
  [' ', '  ', '\t', '\n', '\r\n', '\u001f', '\u007f', '\u00a0', '\u2028'],
  ['"', "'", '\\', '\\n', '%20', '+', '&amp;', '<b>', '--', ';', '$1', '{0}', '${x}', '.', '/'],
  ['é', 'e\u0301', 'ß', 'İ', 'ı', 'ﬁ', '狗', 'שלום', '🐾', '👩‍👩‍👧', '\u200b', '\ufeff', '\ufffd'],
  ['null', 'true', 'NaN', '0', '-1', '1e5', 'undefined'],
].flat();

/** Longer texts are not generated character by character, because a million would take seconds. */
const longestDense = 10_000;

/** Texts of a length in code points: traps, any characters, and lengths that often cause errors. */
function arbitraryText(minLength: number, maxLength: number): fc.Arbitrary<string> {
  const edges = telltaleLengths.filter((length) => length >= minLength && length <= maxLength);
  const most = Math.min(maxLength, minLength + 60);
  const end = fc.constantFrom(...traps, '');
  const parts = fc.array(fc.oneof(fc.constantFrom(...traps), fc.string({ maxLength: 5 })), {
    maxLength: 12,
  });
  const trapped = fc
    .oneof(parts, fc.tuple(end, fc.string({ maxLength: 9 }), end))
    .map((all) => fitText(all.join(''), minLength, maxLength));
  if (minLength > longestDense) return trapped;
  const length = fc.oneof(
    fc.constantFrom(...edges, minLength),
    fc.integer({ min: minLength, max: most }),
  );
  const dense = length.chain((size) =>
    fc
      .string({ unit: 'grapheme', minLength: size, maxLength: size, size: 'max' })
      .map((text) => fitText(text, size, size)),
  );
  return fc.oneof(fc.string({ minLength, maxLength: most }), trapped, trapped, dense);
}

/** Cuts or pads a text to a length in code points, the unit of JSON Schema. */
export function fitText(text: string, least: number, most: number): string {
  const points = Array.from(text).slice(0, most);
  return points.join('') + 'a'.repeat(Math.max(0, least - points.length));
}
