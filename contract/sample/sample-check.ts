import type { DiagnosticLog } from '../source/diagnostic-log.ts';
import type { Operation } from '../openapi/operation.ts';
import type { ResponseContract } from '../openapi/response.ts';
import { successResponse } from '../openapi/success-response.ts';
import type { SchemaNode } from '../schema/schema-node.ts';
import { sampleSchema } from './sample.ts';
import {
  mostSampleHeader,
  mostSampleHeaders,
  mostSampleItems,
  mostSampleText,
} from '../limits/index.ts';
import { mostSampleMembers } from './object.ts';

/** Warns of each response for which the document has no example, and no sample that fits is found. */
export function checkSamples(issues: DiagnosticLog, operations: readonly Operation[]): void {
  const seen = new Set<string>();
  checkSizes(issues, operations);
  for (const { schema, examples } of operations.flatMap(
    (operation) => successResponse(operation)?.content ?? [],
  )) {
    if (schema === undefined || examples.length > 0 || seen.has(schema.pointer)) continue;
    seen.add(schema.pointer);
    warnMembers(issues, schema);
    const [issue] = sampleSchema(schema, { direction: 'response' }).issues;
    if (issue === undefined) continue;
    issues.warn(
      schema.pointer,
      `no value was found that fits it: ${issue.at === '' ? 'the value' : issue.at} ${issue.message}`,
      'Correct the schema, or give an example that fits; until then the nearest value is served.',
    );
  }
}

/** Hints at a schema of which samples show only some members. */
function warnMembers(issues: DiagnosticLog, schema: SchemaNode): void {
  const { properties, required } = schema.shape();
  const most = mostSampleMembers;
  const optional = [...properties.keys()].filter((name) => !required.has(name)).length;
  if (optional <= most) return;
  issues.warn(
    schema.pointer,
    `its samples have ${most} of ${optional} members that are not required`,
  );
}

/** Warns of each parameter and response header whose every value is larger than any that is made. */
function checkSizes(issues: DiagnosticLog, operations: readonly Operation[]): void {
  const responses = new Set(operations.flatMap((operation) => operation.responses));
  const headers = [...responses].flatMap((one) => one.headers);
  for (const response of responses) warnHeaders(issues, response);
  warnSizes(
    operations.flatMap(({ parameters }) => parameters),
    mostSampleText,
    'Correct the schema; until then the suite sends no value of it.',
  );
  warnSizes(
    headers,
    mostSampleHeader,
    'Correct the schema; until then the mock sends its responses without the header.',
  );

  function warnSizes(
    places: readonly { readonly schema?: SchemaNode | undefined }[],
    longest: number,
    remedy: string,
  ): void {
    for (const schema of new Set(places.map((place) => place.schema))) {
      const reason = schema && sizeReason(schema, longest);
      if (schema !== undefined && reason !== undefined) issues.warn(schema.pointer, reason, remedy);
    }
  }
}

/** Warns of a response whose headers take more than clients do, however short their values are. */
function warnHeaders(issues: DiagnosticLog, { headers, pointer }: ResponseContract): void {
  const most = mostSampleHeaders;
  const least = headers.reduce((size, { name }) => size + name.length + ': x\r\n'.length, 0);
  if (least > most)
    issues.warn(
      pointer,
      `its ${headers.length} headers have at least ${least} characters, at most ${most} are made`,
      'Describe fewer headers; until then the mock sends its responses without some of them.',
    );
}

function sizeReason(schema: SchemaNode, longest: number): string | undefined {
  const { minItems = 0, minLength = 0 } = schema.shape();
  if (minItems > mostSampleItems)
    return `its values have at least ${minItems} items, at most ${mostSampleItems} are made`;
  if (minLength > longest)
    return `its values have at least ${minLength} characters, at most ${longest} are made`;
  return undefined;
}
