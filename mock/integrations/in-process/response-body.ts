import type { MockResponse } from '../../http/message.ts';

/** Statuses whose responses have no body (Fetch standard, "null body status"). */
const WITHOUT_BODY: ReadonlySet<number> = new Set([101, 103, 204, 205, 304]);

/**
 * The body to deliver; undefined for none. The response to HEAD has the headers of a body, and not
 * the body (RFC 9110 section 9.3.2).
 */
export function bodyOf({ status, body }: MockResponse, method: string): string | undefined {
  return method === 'HEAD' || body === '' || WITHOUT_BODY.has(status) ? undefined : body;
}

/** The headers of a response as pairs, with the length of its body as a server would give it. */
export function headersOf({
  status,
  headers,
  body,
}: MockResponse): [name: string, value: string][] {
  const pairs = headers.flatMap((name, at): [string, string][] =>
    at % 2 === 0 ? [[name, headers[at + 1] ?? '']] : [],
  );
  return status === 204
    ? pairs
    : [...pairs, ['Content-Length', `${new TextEncoder().encode(body).byteLength}`]];
}
