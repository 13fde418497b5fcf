import { type JsonValue, parseJson } from '../../contract/index.ts';
import type { MockResponse } from '../../mock/http/message.ts';
import { noRoute, type ProxiedRequest } from './prism-proxy.ts';

/** A request through Prism, and the mock's response; undefined where it was not forwarded. */
export interface ProxiedExchange {
  readonly request: ProxiedRequest;
  readonly response: MockResponse | undefined;
}

/** Something that Prism says of responses that keep the contract. */
export interface PrismWaiver {
  readonly name: string;
  readonly says: RegExp;
  /** Where Prism may say it; anywhere else it counts. */
  fits(exchange: ProxiedExchange): boolean;
  /** Why it is no fault of the mock. */
  readonly reason: string;
  /** Where it is known; undefined where no report was found. */
  readonly known: string | undefined;
}

/** The known faults of Prism 5.16 as a referee. One that nothing needs any more fails the test. */
export const prismWaivers: readonly PrismWaiver[] = [
  {
    name: 'status-not-listed',
    says: /^response: Unable to match the returned status code with those defined in the document/,
    fits: ({ response }) =>
      response !== undefined && response.status >= 400 && response.status < 500,
    reason:
      'A document need not list every status (OpenAPI 3.1, Responses Object), and the interface leaves open what such requests are answered. Of a 2xx it counts.',
    known: 'stoplightio/prism#650: a warning by intent, an error for 2xx alone',
  },
  {
    name: 'int64-bounds',
    says: /^response\.body\.\S+: Response body property \S+ must be (<=|>=) -?9007199254740991$/,
    fits: ({ response }) => response !== undefined && hasLargeInteger(parseJson(response.body)),
    reason:
      'int64 reaches from -2^63 to 2^63 - 1 (OpenAPI Format Registry), and Prism takes it for what a double holds exactly.',
    known: 'stoplightio/http-spec#253',
  },
  {
    name: 'no-route',
    says: new RegExp(`^${noRoute}$`),
    fits: ({ request }) => !isDescribed(request),
    reason:
      'The document has no such operation, so that Prism forwards the request and has nothing to judge its response by.',
    known: 'stoplightio/prism#805',
  },
  {
    name: 'head',
    says: /^Prism answers 500 itself$/,
    fits: ({ request }) => request.method === 'HEAD',
    reason:
      'A response to HEAD has the headers of GET and no body (RFC 9110 section 9.3.2), which Prism reads as JSON for all that.',
    known: undefined,
  },
  {
    name: 'get-with-body',
    says: /^Prism answers 501 itself: The Prism proxy does not support sending a GET\/HEAD request with a message body/,
    fits: ({ request: { method, content } }) => method === 'GET' && content !== undefined,
    reason: 'Prism does not forward it.',
    known: 'stoplightio/prism#2259',
  },
  {
    name: 'malformed-json',
    says: /^Prism never answers$/,
    fits: ({ response }) => response === undefined,
    reason: 'Prism waits for the end of a body that it has already read, and forwards nothing.',
    known: 'stoplightio/prism#2664, where older versions of Node.js had a response',
  },
  {
    name: 'prefer-code',
    says: /^Prism answers 422 itself: Invalid request$/,
    fits: ({ request, response }) =>
      response === undefined && /code=(?!\d{3}\b)/.test(request.headers['prefer'] ?? ''),
    reason:
      'A preference that makes no sense is left unread (RFC 7240 section 2); Prism takes it for its own and refuses it.',
    known: undefined,
  },
];

/** True if somewhere in a value there is an integer that a double does not hold exactly. */
function hasLargeInteger(value: JsonValue): boolean {
  if (typeof value === 'bigint') return true;
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.values(value).some((one) => one !== undefined && hasLargeInteger(one))
  );
}

/** Paths lose segments of dots (WHATWG URL), and two slashes at their start name a host. */
function isDescribed({ method, target }: ProxiedRequest): boolean {
  const path = target.split('?')[0] ?? '';
  if (/^(\.|%2e){1,2}$/i.test(path.slice(path.lastIndexOf('/') + 1))) return false;
  return (
    (['GET', 'POST'].includes(method) && path === '/pets') ||
    (method === 'GET' && /^\/pets\/[^/]*$/.test(path))
  );
}
