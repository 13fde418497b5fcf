import * as codec from '../../contract/json/codec.ts';
import type { Codec, TypeOf } from '../../contract/json/codec.ts';
import { callbackAddress, fieldLines, loss, shownMembers } from '../control/declaration/schemas.ts';
import { type Check, type Reason, checkOf, isReason } from '../operation/response/refusal.ts';
import { limitReading } from '../rate-limit/limiter.ts';
import { clockState } from './clock.ts';

/* What the journal keeps of a request, and how it is stored. Without stored state, only the types are used. */

const { flag, list, map, number, object, openObject, orUndefined, shapeError, text, variants } =
  codec;

const bytes: Codec<Uint8Array> = {
  read: (value, at) => new Uint8Array(Buffer.from(text.read(value, at), 'base64')),
  render: (value) => Buffer.from(value).toString('base64'),
};

const refusalParts = object({ reason: text, message: text });

/** The check follows from the reason. */
const refusal: Codec<{
  readonly check: Check;
  readonly reason: Reason;
  readonly message: string;
}> = {
  read(value, at) {
    const { reason, message } = refusalParts.read(value, at);
    if (!isReason(reason)) throw shapeError(at, `has the unknown reason ${reason}`);
    return { check: checkOf(reason), reason, message };
  },
  render: (value) => refusalParts.render(value),
};

const texts = list(text);

const faultRecord = object({
  id: text,
  /** What it does, in words: `status 503`, `connection reset`. */
  effect: text,
  /** The requirement that the response breaks because of it; undefined for none. */
  breaks: orUndefined(text),
});

const stubRecord = variants({
  /** `breaks`: how the response breaks the contract, a sentence each. */
  applied: { id: text, name: orUndefined(text), breaks: texts },
  /**
   * A stub for the operation or path of the request did not match it. `reason`: why, such as
   * `the query parameter limit does not match`.
   */
  missed: { id: text, reason: text },
});

/** What is kept for hints, without keys; earlier versions kept more. */
const clues = openObject({
  /** The `Prefer` header, cut off if long; undefined for none. */
  prefer: orUndefined(text),
  /** The clock of the sandbox; undefined if it is that of the mock. */
  clock: orUndefined(clockState),
});

/** A request and its result, without keys, except in the body. */
const entry = object({
  ...shownMembers,
  /** Milliseconds since 1970, by the clock of the sandbox. */
  at: number,
  /** The target contained the key, or the body an unknown one, which does not belong there. */
  isKeyInTarget: flag,
  /** The beginning of the body, at most 4 KiB; undefined for none, or one that was not read completely. */
  content: orUndefined(bytes),
  /** Bytes of the whole body; undefined for one that was not read completely. */
  contentLength: orUndefined(number),
  /** Id of the operation; undefined if the document has none for the request. */
  operation: orUndefined(text),
  /** Why the request was refused, and by which check. */
  refusal: orUndefined(refusal),
  /** Undefined for callers without a valid key. */
  plan: orUndefined(text),
  /** Values of the rate-limit headers; undefined if the document limits nothing. */
  rate: orUndefined(limitReading),
  /** `Retry-After` of the response. */
  retryAfter: orUndefined(text),
  /** The fault that was applied. */
  fault: orUndefined(faultRecord),
  /** Milliseconds by which the response was delayed; undefined for none. */
  delay: orUndefined(number),
  /** How the response was lost; undefined if it was sent completely. */
  lost: orUndefined(loss),
  /** What the stubs of the sandbox did with it; undefined if none is close. */
  stub: orUndefined(stubRecord),
  /** Preferences of the request that were followed (RFC 7240); empty for none. */
  preferred: text,
  /** Id of the operation whose event was sent. */
  event: orUndefined(text),
  /** Where the callbacks of the operation go because of this request. */
  callbacks: orUndefined(list(callbackAddress)),
  /** Undefined if nothing is unusual. */
  clues: orUndefined(clues),
});

/** More of a request and its response than lists of entries show. It may contain keys. */
const detail = object({
  /** Fields of the request, cut off if they are long. */
  requestHeaders: map(orUndefined(fieldLines)),
  /** The response as it was before a fault; of a long body the beginning. */
  response: object({ status: number, headers: texts, body: text }),
  /** Bytes of the whole body, if only its beginning is kept. */
  responseLength: orUndefined(number),
  /** JSON pointer into the document to the reason of a refusal; undefined if none is known. */
  place: orUndefined(text),
});

/** An entry with its details. */
export const exchange = object({ entry, detail });

export type JournalEntry = TypeOf<typeof entry>;
export type EntryDetail = TypeOf<typeof detail>;
export type Exchange = TypeOf<typeof exchange>;
export type Clues = TypeOf<typeof clues>;
export type FaultRecord = TypeOf<typeof faultRecord>;
export type StubRecord = TypeOf<typeof stubRecord>;
export type CallbackAddress = TypeOf<typeof callbackAddress>;
