import { type VisibleText, joinShown, show } from '../visible.ts';
import { isShown, quotePrintf, quoteShell, quoteWord } from './shell.ts';

/** A request for `renderCurl`. */
export interface CurlRequest {
  readonly method: string;
  /** Absolute http or https URL. */
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Headers that are already quoted, such as one with a shell variable. */
  readonly quotedHeaders?: readonly VisibleText[];
  /** Additional query parameters, `name=value`, already quoted: curl encodes the value. */
  readonly quotedQuery?: readonly VisibleText[];
  /** Undefined for none. Sent in UTF-8. */
  readonly body?: string | Uint8Array | undefined;
  /** Accept self-signed certificates. */
  readonly isInsecure?: boolean;
}

/**
 * A curl command that sends a request unchanged, and shows the response: curl normalises no path,
 * expands no brackets, reads no file for a value that begins with `@`, and adds no content type.
 * Header fields that HTTP cannot carry are left out (RFC 9110 section 5.1, 5.5).
 */
export function renderCurl(request: CurlRequest): VisibleText {
  const { url, headers, quotedHeaders = [], quotedQuery = [], body } = request;
  const fields = headers.filter(([name, value]) => token.test(name) && !/[\0\r\n]/.test(value));
  const typed = fields.some(([name]) => name.toLowerCase() === 'content-type');
  const data = body === undefined ? undefined : renderBody(body);
  const words = [
    ...(data?.pipe === undefined ? [] : [data.pipe]),
    show`curl -i`,
    ...listFlags(request),
    quoteShell(encodeUrl(url)),
    ...fields.map(([name, value]) => show`-H ${quoteShell(renderField(name, value))}`),
    ...quotedQuery.map((member) => show`--url-query ${member}`),
    ...quotedHeaders.map((field) => show`-H ${field}`),
    // curl would add the content type of a form.
    ...(data === undefined || typed ? [] : [show`-H 'Content-Type:'`]),
    ...(data === undefined ? [] : [data.option]),
  ];
  return joinShown(words, ' ');
}

/** A field name (RFC 9110 section 5.6.2). */
const token = /^[\w!#$%&'*+.^`|~-]+$/;

function* listFlags({ method, url, body, isInsecure }: CurlRequest): Generator<VisibleText> {
  if (isInsecure === true) yield show`-k`;
  if (/[[\]{}]/.test(url)) yield show`-g`;
  if (/\/(\.|%2e){1,2}([/?#]|$)/i.test(url)) yield show`--path-as-is`;
  if (method === 'HEAD' && body === undefined) yield show`-I`;
  else if (method !== 'GET' || body !== undefined) yield show`-X ${quoteWord(method)}`;
  // Without it, curl waits for the body of a response to HEAD.
  if (method === 'HEAD' && body !== undefined) yield show`-m 5`;
}

/** A URL in characters that curl accepts. Encodes others as UTF-8 (RFC 3986 section 2.1). */
function encodeUrl(url: string): string {
  return url.replace(/[^\x21-\x7E]/gu, (character) =>
    [...new TextEncoder().encode(character)]
      .map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`)
      .join(''),
  );
}

/** curl omits a field without a value, unless a semicolon replaces the colon. */
function renderField(name: string, value: string): string {
  return value.trim() === '' ? `${name};` : `${name}: ${value}`;
}

/** Longest argument of a Linux program in bytes, with a margin. */
const longestWord = 120_000;

interface CurlBody {
  /** A command that prints the body, if it cannot be an argument. */
  readonly pipe?: VisibleText;
  readonly option: VisibleText;
}

function renderBody(body: string | Uint8Array): CurlBody {
  if (
    typeof body === 'string' &&
    isShown(body) &&
    new TextEncoder().encode(body).length <= longestWord
  )
    return { option: show`--data-raw ${quoteShell(body)}` };
  return { pipe: show`printf ${quotePrintf(body)} |`, option: show`--data-binary @-` };
}
