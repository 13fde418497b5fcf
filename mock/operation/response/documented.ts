import type { Operation } from '../../../contract/index.ts';

/** The statuses that an operation documents, without ranges. */
export function documentedStatuses(operation: Operation): ReadonlySet<number> {
  return new Set(operation.responses.map(({ status }) => Number(status)).filter(Number.isInteger));
}
