import type { IssueLog } from '../document/issue-log.ts';
import type { Operation } from '../openapi/operation.ts';
import { successOf } from '../inference/success.ts';
import { sampleSchema } from './sample.ts';

/** Warns of each response for which the document has no example, and no sample that fits is found. */
export function checkSamples(issues: IssueLog, operations: readonly Operation[]): void {
  const seen = new Set<string>();
  for (const { schema, examples } of operations.flatMap(
    (operation) => successOf(operation)?.content ?? [],
  )) {
    if (schema === undefined || examples.length > 0 || seen.has(schema.pointer)) continue;
    seen.add(schema.pointer);
    const [issue] = sampleSchema(schema, { direction: 'response' }).issues;
    if (issue === undefined) continue;
    issues.warn(
      schema.pointer,
      `no value was found that fits it: ${issue.at === '' ? 'the value' : issue.at} ${issue.message}`,
      'Correct the schema, or give an example that fits; until then the nearest value is served.',
    );
  }
}
