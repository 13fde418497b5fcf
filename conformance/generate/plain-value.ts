import * as fc from 'fast-check';
import { isJsonObject, type JsonValue } from '../../contract/json/value.ts';
import { sampleSchema } from '../../contract/sample/sample.ts';
import type { SchemaNode } from '../../contract/schema/schema-node.ts';
import { once } from '../../contract/memo/once.ts';
import { arbitraryOf } from './arbitrary.ts';

/** Random values that are tried if no plain one is valid. */
const tries = 20;

/** Steps of a plain value that is large; those of ordinary schemas take fewer than 50. */
const stepsOfLarge = 500;

/**
 * A short, ordinary value of a schema in a request, without `readOnly` members: an example of the
 * document, or the simplest valid value. Undefined if none is found. Deterministic.
 */
export function plainRequestValue(
  node: SchemaNode,
  members: 'all' | 'required' = 'required',
): JsonValue | undefined {
  return requestValues[members](node);
}

const findRequestValue = (members: 'all' | 'required') =>
  once((node: SchemaNode) =>
    plainValues(node, members).find((value) => node.isValid(value, 'request')),
  );

/** Cached, because many operations have the same body. */
const requestValues = { all: findRequestValue('all'), required: findRequestValue('required') };

/** The simplest value of a schema in a request. Cached, because many operations have the same body. */
export const sampleRequired = once((node: SchemaNode) =>
  sampleSchema(node, { direction: 'request', members: 'required' }),
);

/** Whether values of a schema are so large that drawing random ones takes seconds. */
export function isLarge(node: SchemaNode): boolean {
  return sampleRequired(node).steps > stepsOfLarge;
}

/** Values of a schema, the plainest first; some may be invalid. */
export function* plainValues(
  node: SchemaNode,
  members: 'all' | 'required' = 'required',
): Generator<JsonValue> {
  const { examples, values = [] } = node.shape();
  // An example of an object is used whole.
  const isShown = members === 'required' && examples.some(isJsonObject);
  const isAll = isShown || members === 'all';
  yield (
    isAll ? sampleSchema(node, { direction: 'request', members: 'all' }) : sampleRequired(node)
  ).value;
  yield* examples;
  yield* values;
  yield* drawSome(node);
}

/** Random values of a schema, the same ones each time; none if none can be generated. */
function* drawSome(node: SchemaNode): Generator<JsonValue> {
  try {
    if (isLarge(node)) return;
    const arbitrary = arbitraryOf(node);
    // For most schemas, one value is enough.
    for (const numRuns of [1, tries])
      yield* fc.sample(arbitrary, { seed: 1, numRuns }).slice(numRuns === 1 ? 0 : 1);
  } catch {
    return;
  }
}
