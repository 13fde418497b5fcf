import { type MockResponse, contentOf, framedHeaders } from '../../http/message.ts';

/** Statuses whose responses have no body (Fetch standard, "null body status"). */
const bodilessStatuses: ReadonlySet<number> = new Set([101, 103, 204, 205, 304]);

/** The body to deliver; undefined for none, as to HEAD (RFC 9110 section 9.3.2). */
export function bodyOf({ status, body }: MockResponse, method: string): string | undefined {
  return method === 'HEAD' || body === '' || bodilessStatuses.has(status) ? undefined : body;
}

/** The headers of a response as pairs, with the length of its body as a server would give it. */
export function headersOf(response: MockResponse): [name: string, value: string][] {
  const lines = framedHeaders(response, lengthOf(response), false);
  const pairs: [name: string, value: string][] = [];
  for (let at = 0; at < lines.length; at += 2) pairs.push([lines[at] ?? '', lines[at + 1] ?? '']);
  return pairs;
}

/** Bytes of the body: of ASCII, as most are, as many as characters, and none are made to count them. */
function lengthOf(response: MockResponse): number {
  const { body, delivery } = response;
  const isAscii = delivery?.content === undefined && !/[^\0-\x7F]/.test(body);
  return isAscii ? body.length : contentOf(response).length;
}
