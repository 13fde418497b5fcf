import { quoteShell } from '../../view/shell.ts';
import type { OutgoingRequest } from './outgoing-request.ts';

/** A shell line that sends a request as it is; a certificate that nobody signed is accepted. */
export function renderCurl(request: OutgoingRequest): string {
  const { url, headers, body } = request;
  return [
    `curl ${flagsOf(request)} ${quoteShell(url)}`,
    ...headers.map(([name, value]) => `-H ${quoteShell(renderHeader(name, value))}`),
    ...(body === undefined ? [] : [`--data-raw ${quoteShell(body)}`]),
  ].join(' ');
}

function flagsOf({ method, url, body }: OutgoingRequest): string {
  const flags = url.startsWith('https:') ? ['-i', '-k'] : ['-i'];
  if (/[[\]{}]/.test(url)) flags.push('-g');
  if (/\/\.{1,2}([/?#]|$)/.test(url)) flags.push('--path-as-is');
  if (method === 'HEAD') flags.push('-I');
  else if (method !== 'GET' || body !== undefined) flags.push(`-X ${quoteMethod(method)}`);
  return flags.join(' ');
}

function quoteMethod(method: string): string {
  return /^\w+$/.test(method) ? method : quoteShell(method);
}

/** curl leaves a header without a value out, unless it ends in a semicolon. */
function renderHeader(name: string, value: string): string {
  return value === '' ? `${name};` : `${name}: ${value}`;
}
