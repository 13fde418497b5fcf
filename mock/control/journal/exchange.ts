import { keyNames } from '../../../contract/openapi/credential.ts';
import type { Contract } from '../../../contract/contract.ts';
import { appendPointer, resolvePointer } from '../../../contract/json/pointer.ts';
import { framedHeaders, headerText, pairsOf } from '../../http/message.ts';
import { parsePathTemplate } from '../../http/path-template.ts';
import type { Check } from '../../operation/response/refusal.ts';
import type { EntryDetail, JournalEntry } from '../../sandbox/journal-entry.ts';
import { longKey, maxKeptBytes, keyMark, shortestKey } from '../../sandbox/journal.ts';
import { findHints } from '../hint/find-hints.ts';
import { renderInstant } from '../../http/field.ts';
import type { Exchange, ExchangeDetail } from '../declaration/schemas.ts';

/** What entries of a sandbox are shown with: the keys to hide, and the document. */
interface EntryOwner {
  readonly keys: readonly string[];
  readonly contract: Contract;
}

/** An entry as the control interface shows it, without the keys of the sandbox. */
export function presentEntry(entry: JournalEntry, { keys, contract }: EntryOwner): Exchange {
  const { at, rate, preferred, contentLength, isKeyInTarget, callbacks, refusal, stub } = entry;
  const hide = (text: string): string => withoutKeys(text, keys);
  const text = bodyText(entry);
  const body = text && hide(text);
  const hints = findHints(entry, contract);
  return {
    ...entry,
    at: renderInstant(at),
    refusal: refusal && { ...refusal, message: hide(refusal.message) },
    stub: stub?.kind === 'applied' ? stub : undefined,
    keyElsewhere: isKeyInTarget || body !== text,
    body,
    bodyLength: contentLength,
    callbacks: callbacks?.map(({ name, url }) => ({ name, url: hide(url) })),
    rate: rate && { ...rate, resetAt: renderInstant(rate.resetAt) },
    preferred: preferred === '' ? undefined : preferred,
    hints:
      hints.length === 0
        ? undefined
        : hints.map(({ kind, message }) => ({ kind, message: hide(message) })),
  };
}

/** The entry with header fields and bodies of request and response, all without the keys. */
export function presentExchange(
  entry: JournalEntry,
  detail: EntryDetail,
  { keys: known, contract }: EntryOwner,
): ExchangeDetail {
  const keys = [...known, ...rejectedKeys(detail)];
  const { response, responseLength = Buffer.byteLength(response.body) } = detail;
  const credentials = credentialFields(contract);
  const messageOf = (
    fields: readonly Field[],
    body: string | undefined,
    bodyLength: number | undefined,
  ): ExchangeDetail['request'] => ({
    headers: fields.map(([name, value]) => ({
      name,
      value: redactField(name.toLowerCase(), value, credentials, keys),
    })),
    body: body === '' || body === undefined ? undefined : withoutKeys(body, keys),
    bodyLength,
  });
  const lines = framedHeaders(response, responseLength, false);
  return {
    exchange: presentEntry(entry, { keys, contract }),
    request: messageOf(requestFields(detail), bodyText(entry), entry.contentLength),
    response: messageOf(pairsOf(lines), cutText(response.body), responseLength),
    place: placeOf(entry, detail, contract),
  };
}

/** Unknown keys are hidden too. */
function rejectedKeys({ requestHeaders }: EntryDetail): readonly string[] {
  const key = /(?<=\s)\S[^]*/.exec(headerText(requestHeaders, 'authorization') ?? '')?.[0];
  return key === undefined || key.length < longKey ? [] : [key];
}

type Field = readonly [name: string, value: string];

function requestFields({ requestHeaders }: EntryDetail): readonly Field[] {
  return Object.entries(requestHeaders).flatMap(([name, value = []]) =>
    [value].flat().map((one): Field => [name, one]),
  );
}

function cutText(text: string): string {
  const bytes = Buffer.from(text);
  return showContent(bytes.subarray(0, maxKeptBytes), bytes.length <= maxKeptBytes);
}

function bodyText({ content, contentLength }: JournalEntry): string | undefined {
  return content && showContent(content, content.length === contentLength);
}

/** Bytes that are not UTF-8 become U+FFFD; a character that is cut off at the end is left out. */
function showContent(content: Uint8Array, isWhole: boolean): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(content, { stream: !isWhole });
}

/** JSON pointer into the document: the reason of a refusal, else the operation. */
function placeOf(
  { operation: id, target, status, refusal }: JournalEntry,
  { place }: EntryDetail,
  { document, basePath, operations }: Contract,
): string {
  const whole = operations.find((one) => one.id === id)?.pointer;
  const below = (...tokens: readonly string[]): string | undefined =>
    whole && appendPointer(whole, ...tokens);
  const path = operations.find((one) =>
    parsePathTemplate(one.path, basePath).match(target.split('?', 1)[0] ?? ''),
  )?.path;
  // The likeliest first; the document may not have them.
  const byCheck: Partial<Record<Check, readonly (string | undefined)[]>> = {
    stub: [],
    credential: [below('security'), '#/security'],
    'rate-limit': ['#/x-rate-limit'],
    state: [place, below('responses', `${status}`)],
    route: [path && appendPointer('#/paths', path)],
  };
  const candidates = refusal === undefined ? [] : (byCheck[refusal.check] ?? [place]);
  const isThere = (pointer: string | undefined): boolean =>
    pointer?.startsWith('#') === true && resolvePointer(document, pointer) !== undefined;
  return [...candidates, whole].find(isThere) ?? '#/paths';
}

/** A text without the keys; the longest are replaced first, because one may be part of another. */
function withoutKeys(text: string, keys: readonly string[]): string {
  const sought = keys
    .filter(({ length }) => length >= shortestKey)
    .toSorted((a, b) => b.length - a.length);
  return sought.reduce((shown, key) => shown.replaceAll(key, keyMark), text);
}

/** Header fields that contain a key, by the document or by convention; names in lower case. */
function credentialFields({ operations }: Contract): ReadonlySet<string> {
  const own = operations.flatMap((one) => keyNames(one, 'header'));
  return new Set([
    ...own.map((name) => name.toLowerCase()),
    'x-api-key',
    'api-key',
    'x-auth-token',
    'x-access-token',
  ]);
}

/** The value of a header field without secrets. */
function redactField(
  name: string,
  value: string,
  credentials: ReadonlySet<string>,
  keys: readonly string[],
): string {
  if (name === 'authorization' || name === 'proxy-authorization')
    return (/^\s*[\w-]+\s+/.exec(value)?.[0] ?? '') + keyMark;
  // A cookie without a name is all value.
  if (name === 'cookie')
    return value.replaceAll(/[^;]+/g, (pair) => pair.slice(0, pair.indexOf('=') + 1) + keyMark);
  if (name === 'set-cookie') return value.replace(/=[^;]*/, `=${keyMark}`);
  return credentials.has(name) ? keyMark : withoutKeys(value, keys);
}
