import { type Operation, jsonContent, parseJson } from '../../../contract/index.ts';
import { type Outcome, success } from './outcome.ts';
import { isRefusal } from './refusal.ts';

/** The statuses that an operation documents, without ranges. */
export function documentedStatuses(operation: Operation): ReadonlySet<number> {
  return new Set(operation.responses.map(({ status }) => Number(status)).filter(Number.isInteger));
}

/** An operation has a response for an item that is not there. */
export function documentsAbsence(operation: Operation): boolean {
  const documented = documentedStatuses(operation);
  return documented.has(404) || documented.has(410);
}

/**
 * The response of an operation that adds an item or changes one, as PUT does, where it documents 201
 * beside 200 or 204: 201 for an added item only (RFC 9110 section 9.3.4). Where its body would break
 * the schema of that status, the response stays as it is.
 */
export function tellAdded(operation: Operation, outcome: Outcome, isAdded: boolean): Outcome {
  const fits = (status: number): boolean => (status === 201) === isAdded;
  if (isRefusal(outcome) || fits(outcome.status)) return outcome;
  for (const { status, content } of operation.responses) {
    if (!['200', '201', '204'].includes(status) || !fits(Number(status))) continue;
    if (content.length === 0) return success(Number(status), '');
    const schema = jsonContent(content)?.schema;
    const isBody = outcome.body !== '' && schema?.validate(parseJson(outcome.body)).length === 0;
    if (isBody) return { ...outcome, status: Number(status) };
  }
  return outcome;
}
