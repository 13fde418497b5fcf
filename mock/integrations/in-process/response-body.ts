import { type MockResponse, contentOf, framedHeaders } from '../../http/message.ts';

/** Statuses whose responses have no body (Fetch standard, "null body status"). */
const bodilessStatuses: ReadonlySet<number> = new Set([101, 103, 204, 205, 304]);

/** The body to deliver; undefined for none, as to HEAD (RFC 9110 section 9.3.2). */
export function bodyOf({ status, body }: MockResponse, method: string): string | undefined {
  return method === 'HEAD' || body === '' || bodilessStatuses.has(status) ? undefined : body;
}

/** The headers of a response as pairs, with the length of its body as a server would give it. */
export function headersOf(response: MockResponse): [name: string, value: string][] {
  const lines = framedHeaders(response, contentOf(response).length, false);
  return lines.flatMap((name, at): [string, string][] =>
    at % 2 === 0 ? [[name, lines[at + 1] ?? '']] : [],
  );
}
