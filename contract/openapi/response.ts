import { compileHeaders, type HeaderContract } from './header.ts';
import { compileContent, isUndescribed, jsonContent, type MediaType } from './media-type.ts';
import type { CompileContext } from './compile-context.ts';
import type { DocumentNode } from '../source/node.ts';

export interface ResponseContract {
  /** `200`, `4XX` or `default`, as in the document. */
  readonly status: string;
  readonly description: string;
  readonly headers: readonly HeaderContract[];
  /** Empty if the document describes no body. */
  readonly content: readonly MediaType[];
  readonly pointer: string;
}

/** The documented response for a status: exact, else by a range such as `4XX`, else `default`. */
export function documentedResponse(
  { responses }: { readonly responses: readonly ResponseContract[] },
  status: number,
): ResponseContract | undefined {
  const find = (wanted: string): ResponseContract | undefined =>
    responses.find((response) => response.status === wanted);
  return find(`${status}`) ?? find(`${Math.floor(status / 100)}XX`) ?? find('default');
}

/** The responses of an operation: statuses in ascending order, then `default`. */
export function compileResponses(
  context: CompileContext,
  operation: DocumentNode,
): readonly ResponseContract[] {
  const responses: ResponseContract[] = [];
  for (const [status, node] of operation.get('responses')?.entries() ?? []) {
    if (status.startsWith('x-')) continue;
    const { pointer } = node;
    const headers = compileHeaders(context, node);
    if (status === '429' && !headers.some(({ name }) => name.toLowerCase() === 'retry-after'))
      context.issues.report(
        'incomplete-response',
        pointer,
        'a 429 without a Retry-After header does not say when to try again (RFC 6585 section 4)',
      );
    const description = node.text('description') ?? '';
    responses.push({
      status,
      description,
      headers,
      content: compileContent(context, node),
      pointer,
    });
  }
  return responses;
}

/** The part of an operation that describes its responses. */
interface Responding {
  readonly method: string;
  readonly responses: readonly ResponseContract[];
}

/**
 * The response to a valid request. Of several successes, one with JSON, for a POST 201, else the lowest;
 * without a success the lowest redirect, else `default`. Undefined if only errors are documented.
 */
export function successResponse({ method, responses }: Responding): ResponseContract | undefined {
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

/** Whether that response may have any JSON body: the document describes none. */
export function isBodyOpen(operation: Responding): boolean {
  const { content } = successResponse(operation) ?? {};
  const types = /^(?:application|\*)\/(?:json|\*)$/;
  return content?.every((one) => types.test(one.mediaType) && isUndescribed(one)) === true;
}

/** The JSON content of that response. */
export function successContent(operation: Responding): MediaType | undefined {
  return jsonContent(successResponse(operation)?.content ?? []);
}

/** The status of that response; 302 or 200 if the document has no exact status. */
export function successStatus(operation: Responding): number {
  const status = successResponse(operation)?.status ?? '';
  if (/^\d+$/.test(status)) return Number(status);
  return status.startsWith('3') ? 302 : 200;
}

/** Responses such as `201` and `2XX`, in ascending order, the range last. */
function ofClass(
  responses: readonly ResponseContract[],
  first: '2' | '3',
): readonly ResponseContract[] {
  return responses
    .filter(({ status }) => /^\d(?:\d\d|XX)$/i.test(status) && status.startsWith(first))
    .toSorted((one, other) => (one.status < other.status ? -1 : 1));
}

/** The error responses of operations whose responses can have a body: not HEAD. */
export function listErrorResponses(operations: readonly Responding[]): readonly ResponseContract[] {
  return operations
    .filter(({ method }) => method !== 'HEAD')
    .flatMap(({ responses }) => responses)
    .filter(({ status }) => status === 'default' || /^[45]/.test(status));
}

/** The statuses which mean that a request was refused without any effect. */
export const refusalStatuses = [400, 401, 422] as const;

/**
 * The status with which an operation refuses invalid requests: 400 or 422, else 400 if the document has a
 * response for every 4xx; undefined if it documents no refusal.
 */
export function refusalStatus({ responses }: Pick<Responding, 'responses'>): number | undefined {
  const found = responses.find(({ status }) => /^4(00|22)$/.test(status))?.status;
  if (found !== undefined) return Number(found);
  return responses.some(({ status }) => /^(4XX|default)$/i.test(status)) ? 400 : undefined;
}
