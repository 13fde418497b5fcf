import { canonicalInteger } from '../../contract/json/number.ts';
import { renderJson, type JsonValue } from '../../contract/json/value.ts';
import type { JsonType } from '../../contract/schema/keyword/keyword.ts';
import type { SchemaNode, ShapeLimit } from '../../contract/schema/schema-node.ts';

/** Valid values at the edges of a schema, the most telling first: enumerated, ends, lengths. */
export function boundaryValues(node: SchemaNode): readonly JsonValue[] {
  const shape = node.shape();
  const { types, values, examples } = shape;
  const limits = shape.limits();
  const ofFormat = limits.filter(({ facet }) => facet === 'format');
  const others = limits.filter(({ facet }) => facet !== 'format');
  const candidates = [
    ...(values ?? []),
    ...types.flatMap((type) => [
      ...edgesOf(others, type),
      ...plainEdges[type],
      ...edgesOf(ofFormat, type),
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

function edgesOf(limits: readonly ShapeLimit[], type: JsonType): readonly JsonValue[] {
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
