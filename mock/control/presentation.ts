import {
  type JsonObject,
  type JsonValue,
  type Webhook,
  isJsonObject,
  parseJson,
} from '../../contract/index.ts';
import type { JournalEntry } from '../sandbox/journal-entry.ts';
import { findHints } from './hint/find-hints.ts';
import { shortestKey } from '../sandbox/recorder.ts';
import type { SandboxControl } from './sandbox-control.ts';

/** A value of the mock as JSON: members that are undefined are left out. */
export function toJson(value: unknown): JsonValue {
  return parseJson(JSON.stringify(value));
}

function toObject(value: object): JsonObject {
  const json = toJson(value);
  return isJsonObject(json) ? json : {};
}

/** A sandbox in short. */
export function presentSandbox(sandbox: SandboxControl): JsonValue {
  const { name, requests, clock, faults, snapshots } = sandbox;
  return {
    name,
    keys: toJson(sandbox.knownKeys),
    requests,
    ...presentClock(sandbox),
    items: sandbox.itemCounts,
    faults: faults.length,
    snapshots,
    frozen: clock.state.kind === 'frozen',
  };
}

/** The time of a sandbox. */
export function presentClock({ clock }: SandboxControl): JsonObject {
  return { now: instant(clock.now()), frozen: clock.state.kind === 'frozen' };
}

/**
 * Instants as dates, the body as text without the keys of the sandbox, and what there is not left
 * out.
 */
export function presentEntry(
  entry: JournalEntry,
  { keys, contract }: Pick<SandboxControl, 'keys' | 'contract'>,
): JsonObject {
  const { at, rate, preferred, content, contentLength, isKeyInTarget, ...all } = entry;
  const { callbacks, clues: _clues, ...others } = all;
  const hints = findHints(entry, contract);
  const text =
    content === undefined ? undefined : showContent(content, content.length === contentLength);
  const body = text === undefined ? undefined : withoutKeys(text, keys);
  return toObject({
    ...others,
    keyElsewhere: isKeyInTarget || body !== text,
    body,
    bodyLength: contentLength,
    callbacks: callbacks?.map(({ name, url }) => ({ name, url: withoutKeys(url, keys) })),
    at: instant(at),
    rate: rate === undefined ? undefined : { ...rate, resetAt: instant(rate.resetAt) },
    preferred: preferred === '' ? undefined : preferred,
    hints: hints.length === 0 ? undefined : hints,
  });
}

/** A webhook or callback as the document has it, its schemas by their pointers. */
export function presentWebhook(webhook: Webhook): JsonValue {
  const { name, method, pointer, summary, requestBody, callback } = webhook;
  return toJson({
    name,
    kind: callback === undefined ? 'webhook' : 'callback',
    method,
    ...callback,
    summary: summary === '' ? undefined : summary,
    pointer,
    content: (requestBody?.content ?? []).map((content) => ({
      mediaType: content.name,
      schema: content.schema?.pointer,
    })),
  });
}

/** The longest keys first: one may begin another. */
function withoutKeys(text: string, keys: readonly string[]): string {
  const sought = keys
    .filter(({ length }) => length >= shortestKey)
    .toSorted((a, b) => b.length - a.length);
  return sought.reduce((shown, key) => shown.replaceAll(key, '[key]'), text);
}

/** Bytes that are not UTF-8 become U+FFFD; a character that is cut off at the end is left out. */
function showContent(content: Uint8Array, isWhole: boolean): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(content, { stream: !isWhole });
}

function instant(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
