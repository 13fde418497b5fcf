import type { Operation } from '../../../contract/openapi/operation.ts';

/** The statuses that an operation documents, without ranges. */
export function documentedStatuses(operation: Operation): ReadonlySet<number> {
  return new Set(operation.responses.map(({ status }) => Number(status)).filter(Number.isInteger));
}

/** An operation has a response for an item that is not there. */
export function documentsAbsence(operation: Operation): boolean {
  return operation.responses.some(({ status }) => /^(?:404|410|4XX)$/i.test(status));
}
