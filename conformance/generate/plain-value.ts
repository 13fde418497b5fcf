import * as fc from 'fast-check';
import { isJsonObject, type JsonValue } from '../../contract/json/value.ts';
import { sampleSchema } from '../../contract/sample/sample.ts';
import type { SchemaNode } from '../../contract/schema/schema-node.ts';
import { once } from '../memo/once.ts';
import { arbitraryOf } from './arbitrary.ts';

/** Values that are tried where no plain one fits. */
const tries = 20;

/** Members of an object that is drawn: to draw a wider one takes seconds. */
const mostMembers = 500;

/**
 * A short, ordinary value of a schema in a request, so without members that only responses have
 * (`readOnly`): an example of the document, else the simplest that fits. Undefined where none is found.
 * The same for the same schema.
 */
export function plainRequestValue(
  node: SchemaNode,
  members: 'all' | 'required' = 'required',
): JsonValue | undefined {
  return requestValues[members](node);
}

const findRequestValue = (members: 'all' | 'required') =>
  once((node: SchemaNode) =>
    plainValues(node, members).find((value) => isValidRequest(node, value)),
  );

/** Many operations have the same body: its values are looked for once. */
const requestValues = { all: findRequestValue('all'), required: findRequestValue('required') };

/** Whether a value fits a schema in a request, which need not hold what is `readOnly`. */
export function isValidRequest(node: SchemaNode, value: JsonValue): boolean {
  return node.validate(value, 'request').length === 0;
}

/** Values of a schema, the plainest first; some may not fit it. */
export function* plainValues(
  node: SchemaNode,
  members: 'all' | 'required' = 'required',
): Generator<JsonValue> {
  const { examples, values = [] } = node.shape();
  // An example of an object stays whole.
  const isShown = members === 'required' && examples.some(isJsonObject);
  yield sampleSchema(node, { direction: 'request', members: isShown ? 'all' : members }).value;
  yield* examples;
  yield* values;
  yield* drawSome(node);
}

/** Values drawn from a schema, the same ones each time; none where none can be drawn. */
function* drawSome(node: SchemaNode): Generator<JsonValue> {
  try {
    if (node.shape().properties.size > mostMembers) return;
    const arbitrary = arbitraryOf(node);
    // Most schemas take one draw.
    for (const numRuns of [1, tries])
      yield* fc.sample(arbitrary, { seed: 1, numRuns }).slice(numRuns === 1 ? 0 : 1);
  } catch {
    return;
  }
}
