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
    operation.responses.find(({ status }) => status === 'default')
  );
}

/** Its status: 200 where the document gives none in digits. */
export function successStatusOf(response: ResponseContract | undefined): number {
  const status = Number(response?.status);
  return Number.isInteger(status) ? status : 200;
}
