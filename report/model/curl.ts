import type { Contract } from '../../contract/contract.ts';
import {
  type KeyParts,
  type Report,
  type SentRequest,
  bytesOf,
  encodeQuery,
  listCredentialFields,
  operationOf,
  resolveTarget,
  waiversHeader,
} from '../../conformance/index.ts';
import * as quoted from '../../page/view/quote/curl.ts';
import { quoteOctal, quoteShell } from '../../page/view/quote/shell.ts';
import { type VisibleText, joinShown, show, showLine } from '../../page/view/visible.ts';

/**
 * A curl command that sends a request again, byte for byte if the key is ASCII, with the key from
 * the variable PETSTORE_API_KEY if the run had one. Needs a POSIX shell, and curl 7.87 (2022) if
 * the key is in the query. Undefined for a request that is not below the base URL, which was never
 * sent.
 */
export function renderCurl(
  contract: Contract,
  { baseUrl, isKeyless = false }: Pick<Report['target'], 'baseUrl' | 'isKeyless'>,
  request: SentRequest,
): VisibleText | undefined {
  const { method, headers, target, body, encoding } = request;
  const url = resolveTarget(baseUrl, target);
  if (url === undefined) return undefined;
  const operation = operationOf(contract, request.operation);
  const fields =
    operation === undefined || isKeyless
      ? []
      : listCredentialFields(operation, marks, request.credential, markBasic);
  const own = headers.filter(([name]) => name !== waiversHeader && name !== 'cookie');
  const cookies = [
    ...headers.filter(([name]) => name === 'cookie').map(([, value]) => value),
    ...fields.filter((each) => each.in === 'cookie').map(({ name, value }) => `${name}=${value}`),
  ];
  return quoted.renderCurl({
    method,
    url,
    headers: own.filter(([, value]) => isAscii(value)),
    quotedHeaders: [
      ...own
        .filter(([, value]) => !isAscii(value))
        .map(([name, value]) => quoteKeyed(`${name}: ${value}`, 'latin1')),
      ...fields
        .filter((each) => each.in === 'header')
        .map(({ name, value }) => quoteKeyed(`${name}: ${value}`, 'latin1')),
      ...(cookies.length === 0 ? [] : [quoteKeyed(`Cookie: ${cookies.join('; ')}`, 'latin1')]),
    ],
    quotedQuery: fields
      .filter((each) => each.in === 'query')
      .map(({ name, value }) => quoteKeyed(`${encodeQuery(name)}=${value}`, 'utf8')),
    body: encoding === undefined ? body : bytesOf(request),
  });
}

function isAscii(text: string): boolean {
  return /^[\0-\x7F]*$/.test(text);
}

/** Placeholders that are later replaced by shell expressions. They occur in no request. */
const mark = '\u0000';
const basic = '\u0001';

const marks: KeyParts = {
  key: `${mark}key${mark}`,
  cut: `${mark}cut${mark}`,
  swapped: `${mark}swapped${mark}`,
  head: `${mark}head${mark}`,
  length: `${mark}length${mark}`,
};

function markBasic(token: string): string {
  return `${basic}${token}${basic}`;
}

/** Parts of the key as shell expressions inside double quotes. */
const expressions: ReadonlyMap<string, VisibleText> = new Map(
  Object.entries({
    key: show`$PETSTORE_API_KEY`,
    cut: show`\${PETSTORE_API_KEY%?}`,
    swapped: show`$(printf %s "$PETSTORE_API_KEY" | LC_ALL=C tr A-Za-z a-zA-Z)`,
    head: show`\${PETSTORE_API_KEY%"\${PETSTORE_API_KEY#*_}"}`,
    length: show`\${#PETSTORE_API_KEY}`,
  }),
);

/** Quotes a text with placeholders as one shell word. */
function quoteKeyed(text: string, encoding: 'latin1' | 'utf8'): VisibleText {
  const [before = '', token, after = ''] = text.split(basic);
  if (token === undefined) return joinShown(quoteParts(text, encoding), '');
  // A key without a colon is both user and password.
  const user = joinShown(quoteParts(token, 'utf8'), '');
  const encoded = show`"$(printf '%s\\n' ${user} | sed 's/^[^:]*$/&:&/' | tr -d '\\n' | base64 | tr -d '\\n')"`;
  return joinShown([...quoteParts(before, encoding), encoded, ...quoteParts(after, encoding)], '');
}

/**
 * Joins the parts that need no quotes inside double quotes and the key expressions; other parts are
 * quoted separately.
 */
function quoteParts(text: string, encoding: 'latin1' | 'utf8'): readonly VisibleText[] {
  const words: VisibleText[] = [];
  let inner: VisibleText[] = [];
  const flush = (): void => {
    if (inner.length > 0) words.push(show`"${joinShown(inner, '')}"`);
    inner = [];
  };
  const parts = text.split(mark);
  for (const [at, part] of parts.entries()) {
    const expression = at % 2 === 1 ? expressions.get(part) : undefined;
    if (expression === undefined && part === '') continue;
    // A following letter would become part of the variable's name.
    if (part === 'key' && /^\w/.test(parts[at + 1] ?? '')) inner.push(show`\${PETSTORE_API_KEY}`);
    else if (expression !== undefined) inner.push(expression);
    else if (/^[\w: =;,./~-]*$/.test(part)) inner.push(showLine(part));
    else if (/^[\x20-\x7E]*$/.test(part)) {
      flush();
      words.push(quoteShell(part));
    } else inner.push(quoteOctal(Buffer.from(part, encoding)));
  }
  flush();
  return words;
}
