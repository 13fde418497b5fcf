import {
  codec,
  parseJson,
  parseJudged,
  type JsonObject,
  type JsonValue,
  type TypeOf,
} from '../../contract/index.ts';
import { once } from '../memo/once.ts';
import { listCredentialUses } from './credential.ts';
import { headerMark, markCuts, redactedKey } from './response/cut.ts';

export type { CredentialUse } from './credential.ts';

const { flag, list, milliseconds, object, oneOf, optional, orUndefined, text, whole } = codec;

/** A header field as it stood: order, case and repetitions are kept. */
const header: codec.Codec<readonly [name: string, value: string]> = {
  read(value, at) {
    const [name, content, ...more] = list(text).read(value, at);
    if (name === undefined || content === undefined || more.length > 0)
      throw codec.shapeError(at, 'has to be a name and a value');
    return [name, content];
  },
  render: (value) => value,
};

/** The credential of a request. */
export const credentialUse = oneOf(listCredentialUses());

/** A refusal of the mock: a word for machines, such as `invalid_body`, and a sentence. */
export type ClientRefusal = TypeOf<typeof clientRefusal>;

const clientRefusal = object({ reason: text, message: text });

/**
 * When the connection of a client's request was opened and the request came in: milliseconds since
 * 1970, by the clock of the sandbox. No two of a scenario are the same: of what happens within one
 * millisecond the thousandths tell the order.
 */
export type ConnectionTimes = TypeOf<typeof connectionTimes>;

const connectionTimes = object({
  opened: milliseconds,
  arrived: milliseconds,
  /** When the client closed it; undefined where it did not while it was watched. */
  closed: orUndefined(milliseconds),
});

/** What the suite wanted to learn with a request; it decides what may be expected of the response. */
export type Intent = TypeOf<typeof intent>;

export const intent = codec.variants({
  /** Keeps the contract. */
  valid: {
    /** What a refusal would break, the most specific first. */
    exercises: list(text),
    /** Open questions that make a refusal valid. */
    mayRefuse: list(text),
    /** Path parameters whose value nobody told; nothing may be there. Left out for none. */
    guessed: optional(list(text)),
  },
  /** Breaks the contract in exactly one way. */
  invalid: {
    /** Says that the request is answered `status`. */
    requirement: text,
    /** A wider requirement that such a response keeps as well. */
    also: optional(text),
    way: text,
    status: whole(100, 999),
    /** Requirements that explain another response if they fail. */
    unless: optional(list(text)),
  },
  /** Asks for an item that no one has seen. */
  absent: { requirement: text, id: text },
  /** Keeps the contract but is sent when nothing is left of the limit, and so has to be refused. */
  beyond: {},
  /** Goes where the document is silent; `way` tells several requests of one question apart. */
  open: { question: text, way: text },
  /** Anything but a 5xx is valid; `way` says what is odd about it. */
  unspecified: { way: text },
  /** A client's request, as the mock saw it: the client is judged. */
  client: {
    /** Id of the scenario that was played; `journal` for none. */
    scenario: text,
    /** Names the key, such as its sandbox and plan; undefined for no valid key. */
    key: orUndefined(text),
    /** Numbers the connection that it came on; undefined where that is not known. */
    connection: orUndefined(whole(0)),
    /** Left out where nobody watched its connection, as in a journal. */
    times: optional(connectionTimes),
    /** Why the mock refused; undefined where it did not. */
    refusal: orUndefined(clientRefusal),
    /** False where target or body are not there to their end. */
    isWhole: flag,
  },
});

/** The intent of a request of a client that is judged itself. */
export type ClientIntent = Extract<Intent, { readonly kind: 'client' }>;

export type SentRequest = TypeOf<typeof sentRequest>;

export const sentRequest = object({
  operation: text,
  method: text,
  /** Path and query relative to the base address: `/pets?limit=1`. */
  target: text,
  /** Without the credential. */
  headers: list(header),
  credential: credentialUse,
  body: orUndefined(text),
  /** `latin1`: each character of the body is one byte; left out for UTF-8. */
  encoding: optional(oneOf(['latin1'])),
});

export type ReceivedResponse = TypeOf<typeof response>;

const response = object({
  status: whole(100, 999),
  /** As received: order, case and repetitions kept. */
  headers: list(header),
  /** Decoded as UTF-8, a byte order mark kept; other bytes become U+FFFD, `utf8` false. */
  body: text,
  utf8: flag,
  /**
   * Where `[redacted]` stands in the place of the key: positions of header fields in their list, and of
   * characters in the body. Left out for nowhere.
   */
  cuts: optional(object({ headers: list(whole(0)), body: list(whole(0)) })),
});

/**
 * Why there is no response to judge. `unreachable`, `name`, `tls`: nobody was there; `too-large`: it
 * is beyond a limit of the suite; `undecodable`: its content coding is broken. All but `too-large`
 * of those that came are the target's doing.
 */
export type TransportError = TypeOf<typeof transportError>;

const transportError = object({
  reason: oneOf([
    'timeout',
    'cut',
    'not-http',
    'endless',
    'too-large',
    'undecodable',
    'unreachable',
    'name',
    'tls',
  ]),
  message: text,
});

export type Outcome = TypeOf<typeof outcome>;

const outcome = codec.variants({
  answered: { response },
  'no-response': { error: transportError },
});

/**
 * One request and what came back: all that the checks may look at, so that a run can be judged
 * again from its log. Never holds the key.
 */
export type Exchange = TypeOf<typeof exchange>;

const exchange = object({
  /** Position in the run, from 0. */
  index: whole(0),
  /** Id of the probe that sent it. */
  probe: text,
  intent,
  request: sentRequest,
  outcome,
  /** Milliseconds since the Unix epoch, by the suite's clock. */
  sentAt: milliseconds,
  endedAt: milliseconds,
  /** Exchanges with the same group were under way at the same time. */
  group: orUndefined(text),
});

/** One exchange as JSON, as reports and logs have it. */
export function renderExchange(one: Exchange): JsonObject {
  return exchange.render(one);
}

export function renderExchanges(exchanges: readonly Exchange[]): readonly JsonValue[] {
  return exchanges.map(renderExchange);
}

/**
 * Reads exchanges from JSON, strictly: unknown members, other types and an index out of turn are
 * refused.
 * @throws {PetstoreError} with code `shape`, for the first thing that is wrong
 */
export function readExchanges(value: JsonValue): readonly Exchange[] {
  return list(exchange)
    .read(value, '')
    .map((one, index) => {
      if (one.index === index) return one;
      throw codec.shapeError(`/${index}/index`, `has to be ${index}, its position in the log`);
    });
}

/** The intent of a request that keeps the contract. */
export function validIntent(
  exercises: readonly string[] = [],
  mayRefuse: readonly string[] = [],
): Extract<Intent, { readonly kind: 'valid' }> {
  return { kind: 'valid', exercises, mayRefuse };
}

/** The status that an exchange was answered; undefined where no response came. */
export function statusOf({ outcome }: Pick<Exchange, 'outcome'>): number | undefined {
  return outcome.kind === 'answered' ? outcome.response.status : undefined;
}

/** Whether a target responded, be it in a way that cannot be judged. */
export function hasResponded({ outcome }: Pick<Exchange, 'outcome'>): boolean {
  return (
    outcome.kind === 'answered' ||
    ['endless', 'too-large', 'undecodable'].includes(outcome.error.reason)
  );
}

/** A body as JSON; undefined where there is none or it is none. */
export function readJson(
  body: string | undefined,
  parse: (text: string) => JsonValue = parseJson,
): JsonValue | undefined {
  if (body === undefined || body === '') return undefined;
  try {
    return parse(body);
  } catch {
    return undefined;
  }
}

/**
 * The body of a response as JSON; undefined where it is none. The judge and the reports ask for it
 * again and again: it is parsed once.
 */
export const jsonOf = once((response: ReceivedResponse) => readMarked(response, ''));

/** The same, with marks of its own where the key was cut from it. */
export function readMarked(response: ReceivedResponse, mark: string): JsonValue | undefined {
  return readJson(markCuts(response, mark), parseJudged);
}

/** All values of a header, combined as in RFC 9110 section 5.3; undefined where absent. */
export function headerOf(
  { headers, cuts }: Pick<ReceivedResponse, 'headers' | 'cuts'>,
  name: string,
): string | undefined {
  const wanted = name.toLowerCase();
  let combined: string | undefined;
  for (const [at, [each, value]] of headers.entries()) {
    if (each.length !== wanted.length || each.toLowerCase() !== wanted) continue;
    const whole = value.trim();
    const isWhole = cuts?.headers.includes(at) !== true;
    const text = isWhole ? whole : whole.replaceAll(redactedKey, headerMark);
    combined = combined === undefined ? text : `${combined}, ${text}`;
  }
  return combined;
}
