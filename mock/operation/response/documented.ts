import type { Operation, ResponseContract } from '../../../contract/index.ts';

/** The statuses that an operation documents, without ranges. */
export function documentedStatuses(operation: Operation): ReadonlySet<number> {
  return new Set(operation.responses.map(({ status }) => Number(status)).filter(Number.isInteger));
}

/** The response that an operation documents for a status: in digits, as a range, else `default`. */
export function documentedResponse(
  { responses }: Operation,
  status: number,
): ResponseContract | undefined {
  return [`${status}`, `${Math.floor(status / 100)}XX`, 'default']
    .map((wanted) => responses.find((response) => response.status === wanted))
    .find((response) => response !== undefined);
}
