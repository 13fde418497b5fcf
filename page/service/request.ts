import type { Mock } from '../../mock/control/client.ts';
import * as quoted from '../view/quote/curl.ts';
import { quoteScript } from '../view/quote/script.ts';

/** A request to the service, to be sent or shown. */
export type OutgoingRequest = Pick<quoted.CurlRequest, 'method' | 'url' | 'headers'> & {
  readonly body: string | undefined;
};

export type HeaderPair = OutgoingRequest['headers'][number];

export type Operation = Mock['operations'][number];

/** The place for the key of an operation. */
export type Credential = Operation['credentials'][number];

/** The request with the key wherever the operation requires it. Replaces existing credentials. */
export function addKey(
  request: OutgoingRequest,
  credentials: readonly Credential[],
  key: string,
): OutgoingRequest {
  return credentials.reduce((one, credential) => addCredential(one, credential, key), request);
}

function addCredential(
  request: OutgoingRequest,
  { in: place, name, value: template }: Credential,
  key: string,
): OutgoingRequest {
  const value = template
    .replace('{key}', () => key)
    .replace('{basic}', () => btoa(`${key}:${key}`));
  if (place === 'query') {
    const url = new URL(request.url);
    url.searchParams.set(name, value);
    return { ...request, url: url.href };
  }
  const header: HeaderPair = place === 'cookie' ? ['Cookie', `${name}=${value}`] : [name, value];
  return { ...request, headers: [header, ...withoutHeader(request.headers, header[0])] };
}

/** The headers without one of this name, ignoring case. */
function withoutHeader(headers: readonly HeaderPair[], name: string): readonly HeaderPair[] {
  return headers.filter(([one]) => one.toLowerCase() !== name.toLowerCase());
}

/** The response to a request of the page. */
export interface ReceivedResponse {
  readonly status: number;
  readonly headers: readonly HeaderPair[];
  readonly body: string;
  /** From the call to the end of the body. */
  readonly milliseconds: number;
}

/** Sends a request from the page. Rejects with a `TypeError` if there is no response. */
export async function sendRequest(request: OutgoingRequest): Promise<ReceivedResponse> {
  const { method, url, headers, body } = request;
  const cookies = headers.filter(isCookie).map(([, cookie]) => cookie);
  const begin = performance.now();
  const response = await withCookies(cookies, () =>
    fetch(url, {
      method,
      headers: headers.filter((header) => !isCookie(header)).map((header) => [...header]),
      credentials: cookies.length === 0 ? 'omit' : 'same-origin',
      cache: 'no-store',
      redirect: 'manual',
      ...(body === undefined ? {} : { body }),
    }),
  );
  const text = await response.text();
  return {
    status: response.status,
    headers: [...response.headers],
    body: text,
    milliseconds: performance.now() - begin,
  };
}

/** Why a page cannot send a request as it is; undefined if it can. */
export function whyNotSent({ method, headers, body }: OutgoingRequest): string | undefined {
  if (/^(connect|trace|track)$/i.test(method)) return `Browsers do not let a page send ${method}.`;
  if (body !== undefined && /^(get|head)$/i.test(method))
    return `Browsers do not let a page send ${method} with a body.`;
  if (
    headers.some(
      (header) => isCookie(header) && !/^[\w!#$%&'*+.^`|~-]+=[^\s",;\\]*$/.test(header[1]),
    )
  )
    return 'The key has characters that no cookie can hold.';
  return undefined;
}

function isCookie([name]: HeaderPair): boolean {
  return name.toLowerCase() === 'cookie';
}

/** A page may not set `Cookie`, so the cookies are set in the browser during the request. */
export async function withCookies<Result>(
  cookies: readonly string[],
  send: () => Promise<Result>,
): Promise<Result> {
  for (const cookie of cookies) document.cookie = `${cookie}; path=/; samesite=strict`;
  try {
    return await send();
  } finally {
    for (const cookie of cookies)
      document.cookie = `${cookie.split('=')[0]}=; path=/; max-age=0; samesite=strict`;
  }
}

/** A curl command that sends a request as it is, and accepts self-signed certificates. */
export function renderCurl(request: OutgoingRequest): string {
  return quoted.renderCurl({ ...request, isInsecure: request.url.startsWith('https:') });
}

/** JavaScript that sends a request with `fetch` and prints the response. */
export function renderFetch({ method, url, headers, body }: OutgoingRequest): string {
  const lines: string[] = [];
  if (method !== 'GET') lines.push(`  method: ${quoteScript(method)},`);
  const fields = headers.map(([name, value]) => `    ${quoteScript(name)}: ${quoteScript(value)},`);
  if (fields.length > 0) lines.push('  headers: {', ...fields, '  },');
  if (body !== undefined) lines.push(`  body: ${quoteScript(body)},`);
  const options = lines.length === 0 ? '' : `, {\n${lines.join('\n')}\n}`;
  return `const response = await fetch(${quoteScript(url)}${options});\nconsole.log(response.status, await response.text());`;
}
