import { jsonContent } from './media-type.ts';
import type { Operation } from './operation.ts';
import type { ResponseContract } from './response.ts';

/**
 * The response to a valid request. Of several successes, one that describes JSON, and 201 for a POST,
 * else the lowest; without a success the lowest redirection, else `default`. Undefined where only
 * errors are documented.
 */
export function successResponse({
  method,
  responses,
}: Pick<Operation, 'method' | 'responses'>): ResponseContract | undefined {
  const successes = ofClass(responses, '2');
  const described = successes.filter(({ content }) => jsonContent(content)?.schema !== undefined);
  const created = described.find(({ status }) => method === 'POST' && status === '201');
  return (
    created ??
    described[0] ??
    successes[0] ??
    ofClass(responses, '3')[0] ??
    responses.find(({ status }) => status === 'default')
  );
}

/** The status of that response: where the document gives none in digits, 302 or 200. */
export function successStatus(operation: Pick<Operation, 'method' | 'responses'>): number {
  const status = successResponse(operation)?.status ?? '';
  if (/^\d+$/.test(status)) return Number(status);
  return status.startsWith('3') ? 302 : 200;
}

/** Responses such as `201` and `2XX`, lowest first, the range last. */
function ofClass(
  responses: readonly ResponseContract[],
  first: '2' | '3',
): readonly ResponseContract[] {
  return responses
    .filter(({ status }) => /^\d(?:\d\d|XX)$/i.test(status) && status.startsWith(first))
    .toSorted((one, other) => (one.status < other.status ? -1 : 1));
}
