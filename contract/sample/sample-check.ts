import type { DiagnosticLog } from '../source/diagnostic.ts';
import type { Operation } from '../openapi/operation.ts';
import { successResponse } from '../openapi/response.ts';
import type { SchemaNode } from '../schema/schema-node.ts';
import { sampleSchema } from './sample.ts';
import { maxSampleHeader, maxSampleItems, maxSampleText } from '../limits/index.ts';

/** Most schemas without a value that are reported: each search takes up to a tenth of a second. */
export const maxImpossible = 30;

/** Most steps of all samples that are made in search of such schemas: they take up to two seconds. */
export const maxCheckSteps = 100_000;

/** Warns of each success response that has no example and for which no valid sample is found. */
export function checkSamples(issues: DiagnosticLog, operations: readonly Operation[]): void {
  checkSizes(issues, operations);
  const schemas = new Set<SchemaNode>();
  for (const operation of operations)
    for (const { schema, examples } of successResponse(operation)?.content ?? [])
      if (schema !== undefined && examples.length === 0) schemas.add(schema);
  let impossible = 0;
  let taken = 0;
  for (const schema of schemas) {
    if (taken > maxCheckSteps) {
      const message = `samples of its responses take more than ${maxCheckSteps} steps; from this one on they were not checked`;
      const fix = 'Simplify or divide the document; each is served as well as it can be.';
      issues.report('more-problems', schema.pointer, message, fix);
      break;
    }
    const sample = sampleSchema(schema, { direction: 'response' });
    taken += sample.steps;
    const [issue] = sample.issues;
    if (issue === undefined) continue;
    impossible += 1;
    const place = issue.at === '' ? 'the value' : issue.at;
    issues.report(
      'impossible-value',
      schema.pointer,
      `no value was found that fits it: ${place} ${issue.message}`,
      'Correct the schema, or give an example that fits; until then the nearest value is served.',
    );
    if (impossible < maxImpossible) continue;
    const message = `for ${impossible} schemas no value was found; the responses after them were not checked`;
    issues.report('more-problems', '#', message, 'Correct those that are listed first.');
    break;
  }
}

/** Warns of each parameter and response header that allows only values larger than samples can be. */
function checkSizes(issues: DiagnosticLog, operations: readonly Operation[]): void {
  const responses = new Set(operations.flatMap((operation) => operation.responses));
  const warn = (schema: SchemaNode, longest: number, effect: string): void => {
    const message = sizeMessage(schema, longest);
    const fix = `Correct the schema; until then ${effect}.`;
    if (message !== undefined) issues.report('impossible-value', schema.pointer, message, fix);
  };
  for (const { schema } of operations.flatMap(({ parameters }) => parameters))
    warn(schema, maxSampleText, 'the suite sends no value of it');
  for (const { schema } of [...responses].flatMap(({ headers }) => headers))
    if (schema !== undefined)
      warn(schema, maxSampleHeader, 'the mock sends its responses without the header');
}

function sizeMessage(schema: SchemaNode, longest: number): string | undefined {
  const { minItems = 0, minLength = 0 } = schema.shape();
  if (minItems > maxSampleItems)
    return `its values have at least ${minItems} items, at most ${maxSampleItems} are made`;
  if (minLength > longest)
    return `its values have at least ${minLength} characters, at most ${longest} are made`;
  return undefined;
}
