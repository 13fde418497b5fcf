import { type Contract, appendPointer, resolvePointer } from '../../../contract/index.ts';
import { framedHeaders, headerText } from '../../http/message.ts';
import { parsePathTemplate } from '../../http/path-template.ts';
import type { EntryDetail, JournalEntry } from '../../sandbox/journal-entry.ts';
import { longKey, maxKeptBytes, keyMark, shortestKey } from '../../sandbox/recorder.ts';
import { findHints } from '../hint/find-hints.ts';
import { renderInstant } from '../json/instant.ts';
import type { Exchange, ExchangeDetail } from '../declaration/schemas.ts';

/** What is shown of a sandbox's entries depends on: keys that are left out, and its document. */
interface EntryOwner {
  readonly keys: readonly string[];
  readonly contract: Contract;
}

/** An entry as clients see it, without the keys of the sandbox. */
export function presentEntry(entry: JournalEntry, { keys, contract }: EntryOwner): Exchange {
  const { at, rate, preferred, content: _, contentLength, isKeyInTarget, ...all } = entry;
  const { callbacks, clues: _clues, refusal, stub, ...others } = all;
  const hints = findHints(entry, contract).map((hint) => ({
    ...hint,
    message: withoutKeys(hint.message, keys),
  }));
  const text = bodyText(entry);
  const body = text === undefined ? undefined : withoutKeys(text, keys);
  return {
    ...others,
    refusal: refusal && { ...refusal, message: withoutKeys(refusal.message, keys) },
    stub: stub?.kind === 'applied' ? { id: stub.id, name: stub.name } : undefined,
    keyElsewhere: isKeyInTarget || body !== text,
    body,
    bodyLength: contentLength,
    callbacks: callbacks?.map(({ name, url }) => ({ name, url: withoutKeys(url, keys) })),
    at: renderInstant(at),
    rate: rate === undefined ? undefined : { ...rate, resetAt: renderInstant(rate.resetAt) },
    preferred: preferred === '' ? undefined : preferred,
    hints: hints.length === 0 ? undefined : hints,
  };
}

/** The entry with header fields and bodies of request and response, all without the keys. */
export function presentExchange(
  entry: JournalEntry,
  detail: EntryDetail,
  { keys: known, contract }: EntryOwner,
): ExchangeDetail {
  const { contentLength } = entry;
  const keys = [...known, ...rejectedKeys(detail)];
  const { response, responseLength = Buffer.byteLength(response.body) } = detail;
  const credentials = credentialFields(contract);
  const messageOf = (
    pairs: readonly Field[],
    body = '',
    bodyLength?: number,
  ): ExchangeDetail['request'] => ({
    headers: pairs.map(([name, value]) => ({
      name,
      value: redactField(name, value, credentials, keys),
    })),
    body: body === '' ? undefined : withoutKeys(body, keys),
    bodyLength,
  });
  return {
    exchange: presentEntry(entry, { keys, contract }),
    request: messageOf(requestFields(detail), bodyText(entry), contentLength),
    response: messageOf(
      responseFields(framedHeaders(response, responseLength, false)),
      cutText(response.body),
      responseLength,
    ),
    place: placeOf(entry, detail, contract),
  };
}

/** A key that the mock does not know is a key all the same. */
function rejectedKeys({ requestHeaders }: EntryDetail): readonly string[] {
  const key = /(?<=\s)\S[^]*/.exec(headerText(requestHeaders, 'authorization') ?? '')?.[0];
  return key === undefined || key.length < longKey ? [] : [key];
}

type Field = readonly [name: string, value: string];

function requestFields({ requestHeaders }: EntryDetail): readonly Field[] {
  return Object.entries(requestHeaders).flatMap(([name, value]) => {
    if (value === undefined) return [];
    return typeof value === 'string' ? [[name, value]] : value.map((one) => [name, one] as const);
  });
}

function responseFields(lines: readonly string[]): readonly Field[] {
  return lines.flatMap((name, at) => (at % 2 === 0 ? [[name, lines[at + 1] ?? '']] : []));
}

function cutText(text: string): string {
  const bytes = Buffer.from(text);
  return showContent(bytes.subarray(0, maxKeptBytes), bytes.length <= maxKeptBytes);
}

function bodyText({ content, contentLength }: JournalEntry): string | undefined {
  return content === undefined ? undefined : showContent(content, content.length === contentLength);
}

/** Bytes that are not UTF-8 become U+FFFD; a character that is cut off at the end is left out. */
function showContent(content: Uint8Array, isWhole: boolean): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(content, { stream: !isWhole });
}

/** JSON pointer into the document: what the refusal of a request rests on, else its operation. */
function placeOf(entry: JournalEntry, detail: EntryDetail, contract: Contract): string {
  const isThere = (pointer: string | undefined): pointer is string =>
    pointer?.startsWith('#') === true && resolvePointer(contract.document, pointer) !== undefined;
  return candidatesFor(entry, detail, contract).find(isThere) ?? '#/paths';
}

/** The likeliest first; some are in no document. */
function candidatesFor(
  { operation: id, target, status, refusal }: JournalEntry,
  detail: EntryDetail,
  { basePath, operations }: Contract,
): readonly (string | undefined)[] {
  const operation = operations.find((one) => one.id === id);
  const whole = operation?.pointer;
  switch (refusal?.check) {
    case undefined:
    case 'stub':
      return [whole];
    case 'credential':
      return [whole && appendPointer(whole, 'security'), '#/security', whole];
    case 'rate-limit':
      return ['#/x-rate-limit', whole];
    case 'state':
      return [detail.place, whole && appendPointer(whole, 'responses', `${status}`), whole];
    case 'route': {
      const path = target.split('?', 1)[0] ?? '';
      const found = operations.find(
        (one) => parsePathTemplate(one.path, basePath).match(path) !== undefined,
      );
      return [found && appendPointer('#/paths', found.path)];
    }
    case 'http':
    case 'accept':
    case 'parameters':
    case 'content':
    case 'fault':
    case 'memory':
    case 'preference':
    default:
      return [detail.place, whole];
  }
}

/** A text without the keys; the longest go first, since one may begin another. */
function withoutKeys(text: string, keys: readonly string[]): string {
  const sought = keys
    .filter(({ length }) => length >= shortestKey)
    .toSorted((a, b) => b.length - a.length);
  return sought.reduce((shown, key) => shown.replaceAll(key, keyMark), text);
}

/** Names, in lower case, of the header fields that show a credential by a document. */
function credentialFields({ operations }: Contract): ReadonlySet<string> {
  const schemes = operations.flatMap(({ security }) => security.flat());
  return new Set(
    schemes.flatMap((scheme) =>
      scheme.kind === 'api-key' && scheme.in === 'header' ? [scheme.name.toLowerCase()] : [],
    ),
  );
}

/** The value of a header field, without what is secret in it. */
function redactField(
  name: string,
  value: string,
  credentials: ReadonlySet<string>,
  keys: readonly string[],
): string {
  switch (name.toLowerCase()) {
    case 'authorization':
    case 'proxy-authorization':
      return (/^\s*[\w-]+\s+/.exec(value)?.[0] ?? '') + keyMark;
    case 'cookie':
      return value.split(';').map(redactCookie).join(';');
    case 'x-api-key':
    case 'api-key':
    case 'x-auth-token':
    case 'x-access-token':
      return keyMark;
    case 'set-cookie':
      return value.replace(/=[^;]*/, `=${keyMark}`);
    default:
      return credentials.has(name.toLowerCase()) ? keyMark : withoutKeys(value, keys);
  }
}

/** A pair of `Cookie` without its value; what has no name is a value. */
function redactCookie(pair: string): string {
  return pair === '' ? '' : pair.slice(0, pair.indexOf('=') + 1) + keyMark;
}
