import {
  requirementId,
  parseJson,
  renderJson,
  type JsonObject,
  type JsonValue,
  type SchemaNode,
  type Shape,
} from '../../contract/index.ts';

/** A body that is outside the contract in exactly one way. */
export interface InvalidBody {
  /** The requirement that says that it is refused. */
  readonly requirement: string;
  /** What is wrong with it, in words that follow "since": `` `name` is missing ``. */
  readonly way: string;
  /** The text to send; undefined: none. */
  readonly text: string | undefined;
  /** Requirements that explain another response, where more than one thing is wrong. */
  readonly unless?: readonly string[];
  /** 1: sent first. */
  readonly rank: number;
}

/**
 * Builds the bodies that break a schema in one way each, out of a valid body. A way that turns out
 * to be lawful, read back from its bytes, is left out.
 */
export function listInvalidBodies(
  operation: string,
  node: SchemaNode,
  required: boolean,
  valid: JsonObject,
): readonly InvalidBody[] {
  const missing = required
    ? [
        {
          requirement: requirementId.requestBody(operation),
          way: 'the body is missing',
          text: undefined,
          rank: 1,
        },
      ]
    : [];
  const invalid = [...invalidRoots(operation, valid), ...invalidMembers(operation, node, valid)];
  return [
    ...missing,
    ...emptyObject(operation, node),
    ...invalid.filter(({ text }) => text !== undefined && isInvalidOnce(node, text)),
  ];
}

/** Lacks every required member at once: what a lenient reader makes of almost anything. */
function emptyObject(operation: string, node: SchemaNode): readonly InvalidBody[] {
  const all = [...node.shape().required].map((name) =>
    requirementId.requestFacet(operation, [name], 'required'),
  );
  const [first] = all;
  if (first === undefined || all.length < 2) return [];
  return [
    { requirement: first, way: 'the body is an empty object', text: '{}', rank: 1, unless: all },
  ];
}

/** Judged by the bytes: outside the contract, and at one place only. */
function isInvalidOnce(node: SchemaNode, text: string): boolean {
  return new Set(node.validate(parseJson(text)).map((issue) => issue.at)).size === 1;
}

function* invalidRoots(operation: string, valid: JsonObject): Generator<InvalidBody> {
  const requirement = requirementId.requestFacet(operation, [], 'type');
  const roots: readonly (readonly [string, JsonValue])[] = [
    ['an array', [valid]],
    ['null', null],
    ['a string', 'text'],
    ['a number', 1],
  ];
  for (const [index, [name, value]] of roots.entries()) {
    yield {
      requirement,
      way: `the body is ${name}`,
      text: renderJson(value),
      rank: index < 2 ? 1 : 3,
    };
  }
}

function* invalidMembers(
  operation: string,
  node: SchemaNode,
  valid: JsonObject,
): Generator<InvalidBody> {
  const shape = node.shape();
  for (const [name, member] of shape.properties) {
    if (shape.required.has(name)) {
      const { [name]: _left, ...rest } = valid;
      yield {
        requirement: requirementId.requestFacet(operation, [name], 'required'),
        way: `\`${name}\` is missing`,
        text: renderJson(rest),
        rank: 1,
      };
    }
    for (const wrong of wrongValues(member.shape(), valid[name])) {
      const text = renderJson({ ...valid, [name]: wrong.value });
      const facet = requirementId.requestFacet(
        operation,
        [name, ...(wrong.within ?? [])],
        wrong.facet,
      );
      yield { requirement: facet, way: `\`${name}\` is ${wrong.name}`, text, rank: wrong.rank };
    }
  }
}

interface WrongValue {
  readonly facet: string;
  /** Where inside the member it is: `[]` for an item of an array. */
  readonly within?: readonly string[];
  readonly name: string;
  readonly value: JsonValue;
  readonly rank: number;
}

function* wrongValues(shape: Shape, valid: JsonValue | undefined): Generator<WrongValue> {
  yield* wrongTypes(shape);
  if (shape.values) yield* wrongChoices(shape.values);
  yield* wrongFormats(shape);
  yield* beyondBounds(shape);
  if (shape.types.includes('array') && shape.items && Array.isArray(valid)) {
    for (const wrong of wrongValues(shape.items.shape(), undefined)) {
      yield {
        ...wrong,
        within: ['[]', ...(wrong.within ?? [])],
        name: `an array with ${wrong.name}`,
        value: [wrong.value],
        rank: wrong.rank + 1,
      };
    }
  }
}

/**
 * One value of each JSON type, with the rank it has against a schema of strings, of numbers, of
 * anything else.
 */
const strangers: readonly {
  readonly type: string;
  readonly name: string;
  readonly value: JsonValue;
  readonly text: number;
  readonly number: number;
}[] = [
  { type: 'string', name: 'a string of digits', value: '1', text: 9, number: 1 },
  { type: 'number', name: 'a number', value: 12_345, text: 1, number: 9 },
  { type: 'null', name: 'null', value: null, text: 1, number: 1 },
  { type: 'boolean', name: 'a boolean', value: true, text: 1, number: 1 },
  { type: 'object', name: 'an object', value: { a: 1 }, text: 1, number: 2 },
  { type: 'array', name: 'an array', value: ['a'], text: 2, number: 2 },
];

function* wrongTypes(shape: Shape): Generator<WrongValue> {
  const types: readonly string[] = shape.types;
  const numeric = types.includes('integer') || types.includes('number');
  for (const { type, name, value, ...ranks } of strangers) {
    const fits = types.includes(type) || (type === 'number' && types.includes('integer'));
    const choice = shape.values && (type === 'object' || type === 'boolean');
    if (!fits)
      yield { facet: 'type', name, value, rank: choice ? 2 : numeric ? ranks.number : ranks.text };
  }
  if (types.includes('integer') && !types.includes('number'))
    yield { facet: 'type', name: 'a fraction', value: 1.5, rank: 1 };
}

function* wrongChoices(values: readonly JsonValue[]): Generator<WrongValue> {
  const first = values.find((value) => typeof value === 'string');
  if (typeof first !== 'string') return;
  const other =
    first === first.toUpperCase()
      ? first.toLowerCase()
      : first.charAt(0).toUpperCase() + first.slice(1);
  yield { facet: 'values', name: 'none of the allowed values', value: `un${first}`, rank: 1 };
  yield { facet: 'values', name: 'an allowed value in another case', value: other, rank: 1 };
  yield { facet: 'values', name: 'an empty string', value: '', rank: 1 };
  yield { facet: 'values', name: 'an allowed value with a space', value: `${first} `, rank: 1 };
}

function* wrongFormats({ format, types }: Shape): Generator<WrongValue> {
  const bits = format === 'int64' ? 63n : format === 'int32' ? 31n : undefined;
  if (bits !== undefined && types.includes('integer')) {
    yield { facet: 'format', name: `2^${bits}, one too large`, value: 2n ** bits, rank: 1 };
    yield {
      facet: 'format',
      name: `-2^${bits} - 1, one too small`,
      value: -(2n ** bits) - 1n,
      rank: 1,
    };
  } else if (format !== undefined && types.includes('string'))
    yield { facet: 'format', name: `no ${format}`, value: 'not-of-that-format', rank: 1 };
}

function* beyondBounds(shape: Shape): Generator<WrongValue> {
  const { minimum, maximum, minLength, maxLength, pattern, minItems, maxItems } = shape;
  if (minimum)
    yield {
      facet: 'minimum',
      name: 'just below the minimum',
      value: minimum.exclusive ? minimum.value : shift(minimum.value, -1),
      rank: 1,
    };
  if (maximum)
    yield {
      facet: 'maximum',
      name: 'just above the maximum',
      value: maximum.exclusive ? maximum.value : shift(maximum.value, 1),
      rank: 1,
    };
  if (minLength)
    yield {
      facet: 'min-length',
      name: 'one character too short',
      value: 'a'.repeat(minLength - 1),
      rank: 1,
    };
  if (maxLength !== undefined && maxLength < 100_000)
    yield {
      facet: 'max-length',
      name: 'one character too long',
      value: 'a'.repeat(maxLength + 1),
      rank: 1,
    };
  if (pattern !== undefined)
    yield { facet: 'pattern', name: 'of another pattern', value: '\u00a7 !', rank: 1 };
  if (minItems)
    yield { facet: 'min-items', name: 'an array with too few items', value: [], rank: 1 };
  if (maxItems !== undefined && maxItems < 1000)
    yield {
      facet: 'max-items',
      name: 'an array with too many items',
      value: Array.from({ length: maxItems + 1 }, (_, index) => `v${index}`),
      rank: 2,
    };
}

function shift(value: number | bigint, by: 1 | -1): JsonValue {
  return typeof value === 'bigint' ? value + BigInt(by) : value + by;
}
