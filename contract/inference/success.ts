import type { Operation } from '../openapi/operation.ts';
import type { ResponseContract } from '../openapi/response.ts';
import { jsonContent } from './view.ts';

/** The documented response of success: of several the one that can show most. */
export function successOf(operation: Operation): ResponseContract | undefined {
  const successes = operation.responses
    .filter(({ status }) => /^2(?:\d\d|XX)$/i.test(status))
    .toSorted((a, b) => (a.status < b.status ? -1 : 1));
  const telling = successes.filter(({ content }) => jsonContent(content)?.schema !== undefined);
  const created = telling.find(({ status }) => status === '201');
  return (
    (operation.method === 'POST' ? created : undefined) ??
    telling[0] ??
    successes[0] ??
    otherwise(operation)
  );
}

/** Where no success is documented: the lowest redirection, else `default`. */
function otherwise({ responses }: Operation): ResponseContract | undefined {
  const redirections = responses
    .filter(({ status }) => /^3(?:\d\d|XX)$/i.test(status))
    .toSorted((a, b) => (a.status < b.status ? -1 : 1));
  return redirections[0] ?? responses.find(({ status }) => status === 'default');
}

/** Its status: where the document gives none in digits, 302 for a redirection, else 200. */
export function successStatusOf(response: ResponseContract | undefined): number {
  const status = Number(response?.status);
  if (Number.isInteger(status)) return status;
  return response?.status.startsWith('3') === true ? 302 : 200;
}
