import { type Codec, codec, isJsonArray } from '../../../contract/index.ts';
import type { RequestHeaders } from '../../http/message.ts';
import { type Check, type Reason, checkOf, isReason } from '../../operation/response/refusal.ts';
import { clockState } from './facts.ts';

const { flag, list, number, object, orUndefined, shapeError, text, variants } = codec;

const bytes: Codec<Uint8Array> = {
  read(value, at) {
    try {
      return Uint8Array.from(atob(text.read(value, at)), (one) => one.charCodeAt(0));
    } catch {
      throw shapeError(at, 'must be Base64');
    }
  },
  render: (value) => btoa(Array.from(value, (one) => String.fromCharCode(one)).join('')),
};

const refusalParts = object({ reason: text, message: text });

/** A refusal as it is told in a log. */
export interface ToldRefusal {
  readonly check: Check;
  readonly reason: Reason;
  readonly message: string;
}

const refusal: Codec<ToldRefusal> = {
  read(value, at) {
    const { reason, message } = refusalParts.read(value, at);
    if (!isReason(reason)) throw shapeError(at, `has the unknown reason ${reason}`);
    return { check: checkOf(reason), reason, message };
  },
  render: ({ reason, message }) => ({ reason, message }),
};

const texts = list(text);

const headers: Codec<RequestHeaders> = {
  read: (value, at) =>
    codec
      .map<string | readonly string[]>({
        read: (one, place) => (isJsonArray(one) ? texts.read(one, place) : text.read(one, place)),
        render: renderHeader,
      })
      .read(value, at),
  render: (value) =>
    Object.fromEntries(
      Object.entries(value).flatMap(([name, one]) =>
        one === undefined ? [] : [[name, renderHeader(one)]],
      ),
    ),
};

function renderHeader(value: string | readonly string[]): string | string[] {
  return typeof value === 'string' ? value : [...value];
}

const stubRecord = variants({
  applied: { id: text, name: orUndefined(text), breaks: texts },
  missed: { id: text, reason: text },
});

const clues = object({
  prefer: orUndefined(text),
  queryNames: orUndefined(texts),
  nearKey: orUndefined(text),
  clock: orUndefined(clockState),
});

const entry = object({
  index: number,
  at: number,
  method: text,
  target: text,
  isKeyInTarget: flag,
  credential: codec.oneOf(['valid', 'missing', 'invalid']),
  content: orUndefined(bytes),
  contentLength: orUndefined(number),
  operation: orUndefined(text),
  status: number,
  refusal: orUndefined(refusal),
  sandbox: text,
  plan: orUndefined(text),
  rate: orUndefined(object({ limit: number, remaining: number, resetAt: number })),
  retryAfter: orUndefined(text),
  fault: orUndefined(object({ id: text, effect: text, breaks: orUndefined(text) })),
  stub: orUndefined(stubRecord),
  preferred: text,
  event: orUndefined(text),
  callbacks: orUndefined(list(object({ name: text, url: text }))),
  clues: orUndefined(clues),
  milliseconds: number,
});

const detail = object({
  requestHeaders: headers,
  response: object({ status: number, headers: texts, body: text }),
  responseLength: orUndefined(number),
  place: orUndefined(text),
});

/** A request and its response, as a journal keeps them. */
export const exchange = object({ entry, detail });
