import * as quoted from '../view/quote/curl.ts';
import { quoteScript } from '../view/quote/script.ts';
import type { OutgoingRequest } from './request.ts';

/** A shell line that sends a request as it is; a certificate that nobody signed is accepted. */
export function renderCurl(request: OutgoingRequest): string {
  return quoted.renderCurl({ ...request, isInsecure: request.url.startsWith('https:') });
}

/** JavaScript that sends a request by `fetch` and shows the response. */
export function renderFetch({ method, url, headers, body }: OutgoingRequest): string {
  const lines = [
    ...(method === 'GET' ? [] : [`  method: ${quoteScript(method)},`]),
    ...(headers.length === 0
      ? []
      : [
          '  headers: {',
          ...headers.map(([name, value]) => `    ${quoteScript(name)}: ${quoteScript(value)},`),
          '  },',
        ]),
    ...(body === undefined ? [] : [`  body: ${quoteScript(body)},`]),
  ];
  const options = lines.length === 0 ? '' : `, {\n${lines.join('\n')}\n}`;
  return `const response = await fetch(${quoteScript(url)}${options});\nconsole.log(response.status, await response.text());`;
}
