import type { Page } from 'playwright-core';
import type { Sender } from '../../conformance/index.ts';

/** Sends what a run sends by the `fetch` of a page. */
export function createPageSender(page: Page): Sender {
  return {
    send: (request) => sendFromPage(page, request),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

/** Sends one request by the `fetch` of a page. Rejects as that does. */
export async function sendFromPage(
  page: Page,
  { url, method, headers, body }: Parameters<Sender['send']>[0],
): ReturnType<Sender['send']> {
  const response = await page.evaluate(
    async ([address, verb, pairs, text]) => {
      const response = await fetch(address, {
        method: verb,
        headers: pairs.map(([name, value]): [string, string] => [name, value]),
        ...(text === undefined ? {} : { body: text }),
      });
      return {
        status: response.status,
        headers: [...response.headers],
        body: await response.text(),
      };
    },
    [url, method, headers, body] as const,
  );
  return { kind: 'answered', response: { ...response, utf8: true } };
}
