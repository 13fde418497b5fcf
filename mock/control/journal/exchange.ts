import type { Contract, JsonObject, JsonValue } from '../../../contract/index.ts';
import { framedHeaders, headerText } from '../../http/message.ts';
import type { EntryDetail, JournalEntry } from '../../sandbox/journal-entry.ts';
import { longKey, maxKeptBytes } from '../../sandbox/recorder.ts';
import { findHints } from '../hint/find-hints.ts';
import { renderInstant } from '../json/instant.ts';
import { toJson, toObject } from '../json/to-json.ts';
import { placeOf } from './place.ts';
import { credentialFields, redactField, withoutKeys } from './redaction.ts';

/** What is shown of a sandbox's entries depends on: keys that are left out, and its document. */
interface EntryOwner {
  readonly keys: readonly string[];
  readonly contract: Contract;
}

/**
 * Instants as dates, the body as text without the keys of the sandbox, and what there is not left
 * out.
 */
export function presentEntry(entry: JournalEntry, { keys, contract }: EntryOwner): JsonObject {
  const { at, rate, preferred, content: _, contentLength, isKeyInTarget, ...all } = entry;
  const { callbacks, clues: _clues, refusal, stub, ...others } = all;
  const hints = findHints(entry, contract).map((hint) => ({
    ...hint,
    message: withoutKeys(hint.message, keys),
  }));
  const text = bodyText(entry);
  const body = text === undefined ? undefined : withoutKeys(text, keys);
  return toObject({
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
  });
}

/** The entry with header fields and bodies of request and response, all without the keys. */
export function presentExchange(
  entry: JournalEntry,
  detail: EntryDetail,
  { keys: known, contract }: EntryOwner,
): JsonObject {
  const { contentLength } = entry;
  const keys = [...known, ...rejectedKeys(detail)];
  const { response, responseLength = Buffer.byteLength(response.body) } = detail;
  const credentials = credentialFields(contract);
  const fieldsOf = (pairs: readonly Field[]): JsonValue =>
    pairs.map(([name, value]) => ({ name, value: redactField(name, value, credentials, keys) }));
  const messageOf = (pairs: readonly Field[], body = '', length?: number): JsonValue =>
    toJson({
      headers: fieldsOf(pairs),
      body: body === '' ? undefined : withoutKeys(body, keys),
      bodyLength: length,
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
