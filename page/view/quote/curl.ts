import { type VisibleText, joinShown, show } from '../visible.ts';
import { isShown, quotePrintf, quoteShell, quoteWord } from './shell.ts';

/** A request as a line for a POSIX shell sends it. */
export interface CurlRequest {
  readonly method: string;
  /** Absolute, of http or https. */
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Fields quoted already, such as one with a variable of the shell in it. */
  readonly quotedHeaders?: readonly VisibleText[];
  /** Members that the query has besides, `name=value`, quoted already: curl encodes the value. */
  readonly quotedQuery?: readonly VisibleText[];
  /** Undefined for none. A text is sent in UTF-8. */
  readonly body?: string | Uint8Array | undefined;
  /** A certificate that nobody signed is accepted. */
  readonly isInsecure?: boolean;
}

/**
 * A line that sends a request as it is, and shows the response. curl changes nothing of it: no path is
 * tidied, no bracket expanded, no file read for a word that begins with `@`, no content type added.
 * A field that no HTTP request can carry is left out (RFC 9110 section 5.1, 5.5).
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
    // curl would say that a body is a form.
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
  // It waits for the body of a response that has none.
  if (method === 'HEAD' && body !== undefined) yield show`-m 5`;
}

/** A URL whose characters curl takes: the others by their bytes in UTF-8 (RFC 3986 section 2.1). */
function encodeUrl(url: string): string {
  return url.replace(/[^\x21-\x7E]/gu, (character) =>
    [...new TextEncoder().encode(character)]
      .map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`)
      .join(''),
  );
}

/** curl leaves a field without a value out, unless a semicolon replaces the colon. */
function renderField(name: string, value: string): string {
  return value.trim() === '' ? `${name};` : `${name}: ${value}`;
}

/** Longest word that Linux hands to a program, in bytes, with a margin. */
const longestWord = 120_000;

interface CurlBody {
  /** What writes the body, where it cannot be part of a word as it is. */
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
