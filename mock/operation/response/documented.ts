import type { Operation, ResponseContract } from '../../../contract/index.ts';

/** The statuses that an operation documents, without ranges. */
export function documentedStatuses(operation: Operation): ReadonlySet<number> {
  return new Set(operation.responses.map(({ status }) => Number(status)).filter(Number.isInteger));
}

/** The response of an operation that goes well: its lowest 2XX, else `2XX`, else `default`. */
export function successResponse(operation: Operation): ResponseContract | undefined {
  const successes = operation.responses.filter(({ status }) => /^2(?:\d\d|XX)$/.test(status));
  const [lowest] = successes.toSorted((a, b) => (a.status < b.status ? -1 : 1));
  return lowest ?? operation.responses.find(({ status }) => status === 'default');
}

/** The status of success: 200 where the document gives none in digits. */
export function successStatus(operation: Operation): number {
  const status = Number(successResponse(operation)?.status);
  return Number.isInteger(status) ? status : 200;
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
