import { isFieldValue } from '../../contract/openapi/header.ts';
import { PetstoreError } from '../../contract/error/petstore-error.ts';
import { type Outcome, type Exchange, intent as intentCodec, sentRequest } from './exchange.ts';
import { endOfTime } from './pacing.ts';
import { createRedaction, redactOutcome } from './redaction.ts';
import type { Sender, WireRequest } from './sender.ts';
import { withCredential } from './credential.ts';
import { resolveTarget, type Target } from './target.ts';
import { jsonEquals, renderJson, type JsonValue } from '../../contract/json/value.ts';
import type { Operation } from '../../contract/openapi/operation.ts';

/** The part of an exchange that is known before it is sent. */
type Drafted = Pick<Exchange, 'probe' | 'intent' | 'request' | 'group'>;

/** An exchange before it is sent. */
export interface Draft extends Drafted {
  readonly operation: Operation;
}

/**
 * `limit`: the target's rate limit; `return`: a target that went away, or announced its return with
 * a 503.
 */
export type WaitReason = 'limit' | 'return';

/** Whether only chance decides which of the two gets its response first. */
export function isAlike(one: Drafted, other: Drafted): boolean {
  return differenceOf(one, other) === undefined;
}

/** The first member in which an exchange differs from its draft, in words; undefined for none. */
export function differenceOf(draft: Drafted, found: Drafted): string | undefined {
  const present = membersOf(found);
  for (const [name, value] of membersOf(draft)) {
    const other = present.get(name) ?? null;
    if (!jsonEquals(value, other)) return describeDifference(name, value, other);
  }
  return undefined;
}

function membersOf({ probe, intent, request, group }: Drafted): ReadonlyMap<string, JsonValue> {
  const { body = null, ...others } = sentRequest.render(request);
  // The wording of intents may differ between versions.
  const meant = intentCodec.render('way' in intent ? { ...intent, way: '' } : intent);
  const members = { body, ...others, intent: meant, probe, group };
  return new Map(Object.entries(members).map(([name, value]) => [`the ${name}`, value ?? null]));
}

/** Characters of a value that are shown around the first difference. */
const shown = 60;

function describeDifference(name: string, wanted: JsonValue, found: JsonValue): string {
  const [one, other] = [renderJson(wanted), renderJson(found)];
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  const from = Math.max(0, at - shown / 2);
  return `${name} is ${cut(other, from)}, where the suite sends ${cut(one, from)}`;
}

function cut(text: string, from: number): string {
  return `${from > 0 ? '…' : ''}${text.slice(from, from + shown).toWellFormed()}${from + shown < text.length ? '…' : ''}`;
}

/** The only source of time in the suite. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
  /** Resolves after a number of milliseconds, or when the signal is aborted. */
  readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
  /** Milliseconds by which the clock was moved ahead instead of waiting, so far. */
  readonly moved?: () => number;
}

/** The machine's clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (milliseconds, signal) =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      signal?.addEventListener('abort', () => {
        clearTimeout(timer);
        resolve();
      });
    }),
};

/**
 * A clock on which waiting takes no time: it moves ahead. For targets in the same process.
 *
 * @param now the time without any waiting
 */
export function createMovableClock(now = (): number => Date.now()): Clock {
  let ahead = 0;
  return {
    now: () => now() + ahead,
    moved: () => ahead,
    sleep: (milliseconds) => {
      ahead += milliseconds;
      return Promise.resolve();
    },
  };
}

/**
 * The outcome of a draft, with times in milliseconds since the Unix epoch, by the suite's clock.
 */
export interface Carried {
  readonly outcome: Outcome;
  readonly sentAt: number;
  readonly endedAt: number;
}

/** When drafts are sent. */
export interface Start {
  /** Earliest time, in milliseconds since the Unix epoch; 0 for now. */
  readonly notBefore: number;
  /** Why they must wait until then. */
  readonly reason: WaitReason;
}

export type Receive = (draft: Draft, carried: Carried) => void;

/** Carries requests to a target. A run learns about the target and the time only from it. */
export interface Carrier {
  /** Sends drafts concurrently, no earlier than `start` says, and reports each outcome. */
  readonly carry: (drafts: readonly Draft[], start: Start, receive: Receive) => Promise<void>;
  /** The time, which never goes back. */
  readonly now: () => number;
  /**
   * Milliseconds by which the clock was moved ahead since the start; undefined for a real clock.
   */
  readonly clockMoved: () => number | undefined;
}

export interface CarrierOptions {
  readonly clock: Clock;
  readonly sender: Sender;
  /** When the run began, and when it must end: nothing is sent after that. Default: never. */
  readonly startedAt?: number | undefined;
  readonly deadline?: number | undefined;
  /** Once aborted, no request is sent, and no response is awaited. */
  readonly signal?: AbortSignal | undefined;
  /** Called with every wait, to show progress. */
  readonly onWait?: ((milliseconds: number, reason: WaitReason) => void) | undefined;
}

/** The longest timer that Node accepts, in milliseconds. */
const longestTimer = 2 ** 31 - 1;

/** How often a wait is resumed, because timers may fire early and clocks may be set back. */
const turns = 4;

/**
 * Creates the carrier to a real target. Only this carrier has the key. `carry` rejects with code
 * `inconclusive` once the signal is aborted, and with code `target` for a key that no header can
 * carry.
 */
export function createCarrier(
  target: Target,
  { clock, sender, startedAt = 0, deadline = Infinity, signal, onWait }: CarrierOptions,
): Carrier {
  const redact = createRedaction(target.apiKey);
  const movedBefore = clock.moved?.() ?? 0;
  let latest = startedAt;
  let sent = 0;
  const now = (): number => (latest = Math.max(latest, clock.now()));
  const wait = async ({ notBefore, reason }: Start): Promise<void> => {
    for (let turn = 0; turn < turns; turn += 1) {
      const pause = notBefore - now();
      if (pause <= 0 || signal?.aborted) return;
      onWait?.(pause, reason);
      await clock.sleep(pause, signal);
    }
  };
  const interruption = (): PetstoreError =>
    new PetstoreError(
      'inconclusive',
      `The run was interrupted after ${sent} requests; nothing was judged.`,
    );
  /** A request in progress when the time is over proves nothing about the target. */
  const unlessOver = async (sending: Promise<Outcome>): Promise<Outcome> => {
    const { promise, reject } = Promise.withResolvers<never>();
    const remaining = deadline - now();
    const end = (): void => {
      latest = Math.max(latest, deadline);
      reject(endOfTime(deadline - startedAt));
    };
    const stop = (): void => reject(interruption());
    const timer = remaining <= longestTimer ? setTimeout(end, Math.max(0, remaining)) : undefined;
    signal?.addEventListener('abort', stop);
    try {
      return await Promise.race([sending, promise]);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
    }
  };
  const deliver = async (draft: Draft, receive: Receive): Promise<void> => {
    if (signal?.aborted) throw interruption();
    if (now() >= deadline) throw endOfTime(deadline - startedAt);
    sent += 1;
    const sentAt = now();
    const outcome = await unlessOver(sender.send(address(draft, target)));
    receive(draft, { outcome: redactOutcome(outcome, redact), sentAt, endedAt: now() });
  };
  return {
    now,
    clockMoved: () => clock.moved && Math.round(clock.moved() - movedBefore),
    carry: async (drafts, start, receive) => {
      if (start.notBefore >= deadline) throw endOfTime(deadline - startedAt, true);
      await wait(start);
      let isOpen = true;
      const receiveOpen: Receive = (draft, carried) => {
        if (isOpen) receive(draft, carried);
      };
      try {
        await Promise.all(drafts.map((draft) => deliver(draft, receiveOpen)));
      } finally {
        isOpen = false;
      }
    },
  };
}

function address({ operation, request }: Draft, { baseUrl, apiKey }: Target): WireRequest {
  const { method, body, encoding } = request;
  const { target, headers } = withCredential(operation, request, apiKey);
  if (!headers.every(([, value]) => isFieldValue(value)))
    throw new PetstoreError(
      'target',
      'The API key contains a character that is not allowed in a header, such as a control character or one beyond U+00FF.',
    );
  const url = resolveTarget(baseUrl, target);
  if (url === undefined)
    throw new PetstoreError(
      'target',
      `"${request.target}" is not a path below ${baseUrl}; nothing was sent.`,
    );
  return { url, method, headers, body, encoding };
}
