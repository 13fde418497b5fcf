import type { LimitReading } from '../rate-limit/limiter.ts';
import type { Endpoint } from '../operation/router.ts';
import {
  atOnce,
  type MockRequest,
  type MockResponse,
  type RequestContent,
  type RequestHeaders,
  excerpt,
  headerText,
  measureHeaders,
  responseHeader,
} from '../http/message.ts';
import type {
  Clues,
  EntryDetail,
  Exchange,
  FaultRecord,
  JournalEntry,
  StubRecord,
} from './journal-entry.ts';
import { findCallbacks } from './callback-address.ts';
import type { Call, Outcome } from '../operation/response/outcome.ts';
import { type Refusal, checkOf } from '../operation/response/refusal.ts';
import type { SandboxClock } from './clock.ts';
import type { Service } from './service.ts';

/** An exchange in a journal, with its memory. */
interface Kept extends Exchange {
  readonly bytes: number;
}

/** The last requests of a sandbox; older ones are dropped. */
export class Journal {
  readonly #size: number;
  readonly #memory: JournalMemory;
  /** Oldest first, with one index after the other; may exceed the size by a few. */
  #kept: Kept[] = [];
  /**
   * Number of entries since the sandbox began, including dropped ones: the index of the next entry.
   */
  count = 0;
  /** Estimated memory. */
  bytes = 0;

  /** `size`: maximum number of entries, at least 1. */
  constructor(size: number, memory: JournalMemory) {
    this.#size = size;
    this.#memory = memory;
  }

  add(entry: JournalEntry, detail: EntryDetail): void {
    const bytes = exchangeBytes(entry, detail);
    this.#kept.push({ entry, detail, bytes });
    this.bytes += bytes;
    this.count += 1;
    // Dropped in batches, because each time all remaining entries are moved.
    const surplus = this.#kept.length - this.#size;
    if (surplus > this.#size / 8) this.#forget(surplus);
    this.#memory.add(bytes);
  }

  /** Drops the older half, at least one entry. */
  forgetHalf(): void {
    this.#forget(Math.max(1, Math.floor(this.#kept.length / 2)));
  }

  #forget(count: number): void {
    for (const { bytes } of this.#kept.splice(0, count)) this.bytes -= bytes;
  }

  /** Replaces the exchanges, oldest first, and the index of the next one. */
  restore(exchanges: readonly Exchange[], count: number): void {
    this.clear();
    for (const { entry, detail } of exchanges) this.add(entry, detail);
    this.count = count;
  }

  /** The kept exchanges, oldest first. */
  get exchanges(): readonly Exchange[] {
    return this.#kept.slice(-this.#size);
  }

  /** The entries of `exchanges`. */
  get entries(): readonly JournalEntry[] {
    return this.exchanges.map(({ entry }) => entry);
  }

  /** The exchange with an index; undefined if it was dropped. */
  exchangeAt(index: number): Exchange | undefined {
    const at = this.#kept.length - this.count + index;
    return at < this.#kept.length - this.#size ? undefined : this.#kept[at];
  }

  /** Drops all entries. Indexes continue. */
  clear(): void {
    this.#kept = [];
    this.bytes = 0;
  }
}

/** Estimated bytes of an entry besides its texts. */
const plainBytes = 1024;

function exchangeBytes(entry: JournalEntry, { requestHeaders, response }: EntryDetail): number {
  const { target, content, refusal, clues } = entry;
  const { headers } = response;
  let characters = measureHeaders(requestHeaders) + target.length + response.body.length;
  characters += (refusal?.message.length ?? 0) + (clues?.prefer?.length ?? 0);
  // Header names are shared between responses.
  for (let at = 1; at < headers.length; at += 2) characters += headers[at]?.length ?? 0;
  return plainBytes + characters + (content?.buffer.byteLength ?? 0);
}

/** Bytes of the journals of all sandboxes. */
export const maxJournals = 64 * 1024 * 1024;

/** The share that is kept when memory is freed, so that this happens rarely. */
const share = 0.9;

/**
 * Limits the memory of all journals of a mock. Over the limit, the largest journal drops its older half,
 * so that clients with few requests keep theirs.
 */
export class JournalMemory {
  readonly #list: () => readonly Journal[];
  readonly #most: number;
  /** At least what all of them use: what they drop counts until it is summed up again. */
  #bytes = 0;

  constructor(list: () => readonly Journal[], most: number = maxJournals) {
    this.#list = list;
    this.#most = most;
  }

  add(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes <= this.#most) return;
    const journals = this.#list();
    const sum = (): number => journals.reduce((total, one) => total + one.bytes, 0);
    this.#bytes = sum();
    if (this.#bytes <= this.#most) return;
    while (sum() > this.#most * share) {
      const [largest] = journals.toSorted((one, other) => other.bytes - one.bytes);
      largest?.forgetHalf();
    }
    this.#bytes = sum();
  }
}

/** What an entry says about who sent its request. */
interface RecordedIdentity {
  readonly key: string;
  readonly denied: Refusal | undefined;
  readonly caller: {
    readonly plan: string | undefined;
    readonly sandbox: {
      readonly name: string;
      readonly clock: SandboxClock;
      readonly service: Service;
      readonly journal: Journal;
    };
  };
}

/** What happened to a request. */
export interface HandledRequest {
  readonly endpoint: Endpoint;
  readonly identity: RecordedIdentity;
  readonly outcome: Outcome;
  readonly response: MockResponse;
  /** The values of its rate-limit headers. */
  readonly rate: LimitReading | undefined;
  readonly fault: FaultRecord | undefined;
  readonly stub: StubRecord | undefined;
  readonly preferred: string;
  readonly milliseconds: number;
}

/** Longer targets are cut off, to bound the memory of the journal. */
const maxTarget = 1000;

/** Shorter keys are part of too many words to be hidden. */
export const shortestKey = 5;

/** Of longer bodies only the beginning is kept. */
export const maxKeptBytes = 4096;

/** Header fields with more characters together are cut off. */
const maxHeaders = 4096;

/** Then this many fields are kept, and of each this many characters. */
const maxFields = 50;
const maxField = 500;

/** A body that shares a larger buffer is copied. */
const maxSharedBytes = 16_384;

/** Replaces a key. */
export const keyMark = '[key]';

/** The record of one request. */
export function recordEntry(call: Call, handled: HandledRequest): JournalEntry {
  const { request, now } = call;
  const { endpoint, identity, outcome, response, rate, fault, stub, preferred, milliseconds } =
    handled;
  const { delay, end } = response.delivery ?? atOnce;
  const { caller, key, denied } = identity;
  const { sandbox, plan } = caller;
  const { content, target } = request;
  const shown = withoutQueryKeys(target, endpoint);
  const hides = key.length >= shortestKey && shown.includes(key);
  const withKey = hides ? shown.replaceAll(key, keyMark) : shown;
  const kept = keep(content);
  const known = denied === undefined ? undefined : withoutUnknownKey(withKey, kept, key);
  return {
    index: sandbox.journal.count,
    at: now,
    method: request.method,
    target: excerpt(known?.target ?? withKey, maxTarget),
    isKeyInTarget: hides || known?.isFound === true,
    credential: nameCredential(key, denied),
    content: known?.content ?? kept,
    contentLength: content === 'too-large' ? undefined : (content?.length ?? 0),
    operation: endpoint.operation?.id,
    status: response.status,
    refusal:
      outcome.kind === 'refusal'
        ? {
            check: checkOf(outcome.reason),
            reason: outcome.reason,
            message: hides ? outcome.message.replaceAll(key, keyMark) : outcome.message,
          }
        : undefined,
    sandbox: sandbox.name,
    plan,
    rate,
    retryAfter:
      response.status < 400
        ? undefined
        : responseHeader(
            response,
            sandbox.service.contract.rateLimit?.headers.retryAfter ?? 'Retry-After',
          ),
    fault,
    delay: delay === 0 ? undefined : delay,
    lost: end === 'whole' ? undefined : end,
    stub,
    preferred,
    event:
      endpoint.sendsEvents && stub?.kind !== 'applied' && outcome.kind === 'success'
        ? endpoint.operation?.id
        : undefined,
    callbacks:
      endpoint.hasCallbacks && outcome.kind === 'success'
        ? findCallbacks(sandbox.service.contract, endpoint.operation, call, response)
        : undefined,
    clues: readClues(request, sandbox),
    milliseconds,
  };
}

/** What is kept besides the record. */
export function keepDetail(
  { headers }: MockRequest,
  outcome: Outcome,
  response: MockResponse,
): EntryDetail {
  const { body } = response;
  const isLong = body.length > maxKeptBytes;
  return {
    requestHeaders: measureHeaders(headers) <= maxHeaders ? headers : boundHeaders(headers),
    response: isLong ? { ...response, body: beginningOf(body) } : response,
    responseLength: isLong ? lengthOf(body) : undefined,
    place: outcome.kind === 'refusal' ? outcome.place : undefined,
  };
}

/** A character that is cut off at the end is left out. */
function beginningOf(text: string): string {
  const bytes = new TextEncoder().encode(text.slice(0, maxKeptBytes));
  return new TextDecoder().decode(bytes.subarray(0, maxKeptBytes), { stream: true });
}

/** Bytes of a text as UTF-8. */
function lengthOf(text: string): number {
  return /[^\0-\x7f]/.test(text) ? new TextEncoder().encode(text).length : text.length;
}

/** A copy of the beginnings of the fields. */
function boundHeaders(headers: RequestHeaders): RequestHeaders {
  const entries = Object.entries(headers).slice(0, maxFields);
  return Object.fromEntries(
    entries.map(([name, value]) => [
      excerpt(name, maxField),
      value === undefined ? undefined : excerpt(value.toString(), maxField),
    ]),
  );
}

/** Longer `Prefer` headers are cut off. */
const maxPrefer = 300;

/** What hints need to know of a request; usually undefined. */
function readClues(
  { headers }: MockRequest,
  { clock }: RecordedIdentity['caller']['sandbox'],
): Clues | undefined {
  const prefer = headerText(headers, 'prefer');
  if (prefer === undefined && !clock.isMoved) return undefined;
  return {
    prefer: prefer === undefined ? undefined : excerpt(prefer, maxPrefer),
    clock: clock.isMoved ? clock.state : undefined,
  };
}

/**
 * Hides all values of a query that may contain a key: clients misspell the name of the parameter, or
 * put the key into other values.
 */
function withoutQueryKeys(target: string, { keysInQuery }: Endpoint): string {
  if (keysInQuery.length === 0) return target;
  const [path = '', query] = target.split('?', 2);
  if (query === undefined) return target;
  const pairs = query.split('&').map((pair) => {
    const end = pair.indexOf('=') + 1;
    return pair.slice(0, end) + keyMark;
  });
  return `${path}?${pairs.join('&')}`;
}

/** Query parameters in which clients send keys that belong elsewhere (RFC 6750 section 2.3). */
const keyMember = /([?&](?:access_?token|api[-_]?key|key|token)=)[^&]+/gi;

/** Shorter unknown keys, such as `invalid`, occur in bodies by chance. */
export const longKey = 8;

/** Target and body of a request without a valid key, which may contain one in a wrong place. */
function withoutUnknownKey(
  target: string,
  content: Uint8Array | undefined,
  key: string,
): {
  readonly target: string;
  readonly content: Uint8Array | undefined;
  readonly isFound: boolean;
} {
  const shown = target.replace(keyMember, `$1${keyMark}`);
  const text =
    content === undefined || key.length < longKey ? '' : new TextDecoder().decode(content);
  const isInContent = text.includes(key) && text !== '';
  return {
    target: shown,
    content: isInContent ? new TextEncoder().encode(text.replaceAll(key, keyMark)) : content,
    isFound: isInContent || shown !== target,
  };
}

function nameCredential(key: string, denied: Refusal | undefined): JournalEntry['credential'] {
  if (denied === undefined) return 'valid';
  return key === '' ? 'missing' : 'invalid';
}

/** A copy of a long body, or of one that shares a large buffer, which then can be freed. */
function keep(content: RequestContent): Uint8Array | undefined {
  if (content === undefined || content === 'too-large') return undefined;
  const isPart = content.length > maxKeptBytes || content.buffer.byteLength > maxSharedBytes;
  return isPart ? new Uint8Array(content.subarray(0, maxKeptBytes)) : content;
}
