import type { Sender } from '../../conformance/index.ts';

/** The part of `fetch` that a sender needs. */
type Fetch = (
  url: string,
  init: { readonly method: string; readonly headers: [string, string][]; readonly body?: string },
) => Promise<{
  readonly status: number;
  readonly headers: Iterable<[string, string]>;
  readonly text: () => Promise<string>;
}>;

/** A sender for the suite that uses `fetch`. */
export function sendByFetch(fetch: Fetch): Sender {
  return {
    send: async ({ url, method, headers, body }) => {
      const response = await fetch(url, {
        method,
        headers: headers.map(([name, value]): [string, string] => [name, value]),
        ...(body === undefined ? {} : { body }),
      });
      const { status } = response;
      const text = await response.text();
      return {
        kind: 'answered',
        response: { status, headers: [...response.headers], body: text, utf8: true },
      };
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}
