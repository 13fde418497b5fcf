import type { OutgoingRequest } from './outgoing-request.ts';

/** What came of a request that the page sent. */
export interface ReceivedResponse {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
  /** From the call to the end of the body. */
  readonly milliseconds: number;
}

/** Sends a request from the page. Rejects with a `TypeError` where no response comes. */
export async function sendRequest(request: OutgoingRequest): Promise<ReceivedResponse> {
  const { method, url, headers, body } = request;
  const begin = performance.now();
  const response = await fetch(url, {
    method,
    headers: headers.map(([name, value]) => [name, value]),
    credentials: 'omit',
    cache: 'no-store',
    redirect: 'manual',
    ...(body === undefined ? {} : { body }),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: [...response.headers],
    body: text,
    milliseconds: performance.now() - begin,
  };
}

/** Why no response came, in a sentence. */
export function describeNoResponse(error: unknown): string {
  if (error instanceof TypeError) return 'No response came: the connection was broken.';
  return error instanceof Error ? error.message : String(error);
}

/** Why a page cannot send a request as it is; undefined where it can. */
export function whyNotSent({ method, headers, body }: OutgoingRequest): string | undefined {
  if (/^(connect|trace|track)$/i.test(method)) return `A page may not send ${method}.`;
  if (body !== undefined && /^(get|head)$/i.test(method))
    return `A page may not send ${method} with a body.`;
  if (headers.some(([name]) => name.toLowerCase() === 'cookie'))
    return 'A page may not set the cookie that holds the key.';
  return undefined;
}
