import * as codec from '../../contract/json/codec.ts';
import { parseJson, parseJudged, type JsonValue } from '../../contract/json/value.ts';
import type { TypeOf } from '../../contract/json/codec.ts';
import { once } from '../../contract/memo/once.ts';
import { listCredentialUses } from './credential.ts';
import { headerMark, markCuts, redactedKey } from './cut.ts';

export type { CredentialUse } from './credential.ts';

const { described, flag, list, milliseconds, object, oneOf, optional, orUndefined, text, whole } =
  codec;

/** A header as received: order, case and repetitions are kept. */
const header: codec.Codec<readonly [name: string, value: string]> = {
  read(value, at) {
    const [name, content, ...more] = list(text).read(value, at);
    if (name === undefined || content === undefined || more.length > 0)
      throw codec.shapeError(at, 'has to be a name and a value');
    return [name, content];
  },
  render: (value) => value,
  schema: () => ({
    description: 'Name and value, in order, repetitions kept.',
    type: 'array',
    minItems: 2,
    maxItems: 2,
    items: { type: 'string' },
  }),
};

/** The credential of a request. */
export const credentialUse = oneOf(listCredentialUses());

/** A refusal of the mock: a code such as `invalid_body`, and a sentence. */
const clientRefusal = object({ reason: text, message: text });

/**
 * When the connection of a client's request was opened and the request arrived: milliseconds since
 * 1970, by the clock of the sandbox. All times of a scenario are different: the thousandths give
 * the order within a millisecond.
 */
export type ConnectionTimes = TypeOf<typeof connectionTimes>;

const connectionTimes = object({
  opened: milliseconds,
  arrived: milliseconds,
  closed: described(
    orUndefined(milliseconds),
    'When the client closed it; null if it did not while it was observed.',
  ),
});

/** The purpose of a request. It decides what is expected of the response. */
export type Intent = TypeOf<typeof intent>;

export const intent = codec.variants({
  /** It is valid. */
  valid: {
    exercises: described(
      list(text),
      'Requirements that a refusal would break, the most specific first.',
    ),
    mayRefuse: described(list(text), 'Open questions that make a refusal valid.'),
    guessed: described(
      optional(list(text)),
      'Path parameters whose value is a guess, so that the item may not exist. Left out if there are none.',
    ),
  },
  /** Breaks the contract in exactly one way. */
  invalid: {
    requirement: described(text, 'The requirement that the response has this status.'),
    also: described(optional(text), 'A wider requirement that such a response fulfils, too.'),
    way: text,
    status: whole(100, 999),
    unless: described(
      optional(list(text)),
      'Requirements that explain another response if they fail.',
    ),
  },
  /** Asks for an item that does not exist as far as is known. */
  absent: { requirement: text, id: text },
  /** Keeps the contract but is sent when the rate limit is used up, so it must be refused. */
  beyond: {},
  /** Asks an open question; `way` distinguishes its requests. */
  open: { question: text, way: text },
  /** Any response but a 5xx is valid; `way` says what is odd about the request. */
  unspecified: { way: text },
  /** A client's request, as the mock received it: the client is judged. */
  client: {
    scenario: described(text, 'Id of the scenario that was played; `journal` for none.'),
    key: described(
      orUndefined(text),
      'Names the key, such as its sandbox and plan; null for no valid key.',
    ),
    connection: described(
      orUndefined(whole(0)),
      'Number of the connection on which it came; null if unknown.',
    ),
    times: described(
      optional(connectionTimes),
      'Missing if its connection was not observed, as in a journal.',
    ),
    refusal: described(orUndefined(clientRefusal), 'Why the mock refused; null if it did not.'),
    isWhole: described(flag, 'False if the target or the body was truncated.'),
  },
});

/** The intent of a request whose client is judged. */
export type ClientIntent = Extract<Intent, { readonly kind: 'client' }>;

export type SentRequest = TypeOf<typeof sentRequest>;

export const sentRequest = object({
  operation: text,
  method: text,
  target: described(text, 'Path and query relative to the base address: `/pets?limit=1`.'),
  headers: described(list(header), 'Without the credential.'),
  credential: credentialUse,
  body: orUndefined(text),
  encoding: described(
    optional(oneOf(['latin1'])),
    '`latin1`: each character of the body is one byte; left out for UTF-8.',
  ),
});

export type ReceivedResponse = TypeOf<typeof response>;

const response = object({
  status: whole(100, 999),
  headers: described(list(header), 'As received: order, case and repetitions kept.'),
  body: described(
    text,
    'Decoded as UTF-8, a byte order mark kept; other bytes become U+FFFD, `utf8` false.',
  ),
  utf8: flag,
});

/**
 * Why there is no response to judge. `unreachable`, `name`, `tls`: there was no connection;
 * `too-large`: over a limit of the suite; `undecodable`: its content coding is broken. If a
 * connection existed, all but `too-large` are failures of the target.
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
 * A request and its outcome. Checks look at nothing else, so that a run can be judged again from
 * its log. Never contains the key.
 */
export type Exchange = TypeOf<typeof exchange>;

export const exchange = object({
  index: described(whole(0), 'Position in the run, from 0.'),
  probe: described(text, 'Id of the probe that sent it.'),
  intent,
  request: sentRequest,
  outcome,
  sentAt: described(milliseconds, "Milliseconds since the Unix epoch, by the suite's clock."),
  endedAt: milliseconds,
  group: described(
    orUndefined(text),
    'Exchanges with the same group were under way at the same time.',
  ),
});

const exchanges = list(exchange);

/** Exchanges in order. Unknown members, wrong types and a wrong index are rejected. */
export const exchangeLog: codec.Codec<readonly Exchange[]> = {
  ...exchanges,
  read(value, at) {
    const found = exchanges.read(value, at);
    const wrong = found.findIndex((one, index) => one.index !== index);
    if (wrong === -1) return found;
    throw codec.shapeError(`${at}/${wrong}/index`, `has to be ${wrong}, its position in the log`);
  },
};

/** The intent of a request that keeps the contract. */
export function validIntent(
  exercises: readonly string[] = [],
  mayRefuse: readonly string[] = [],
): Extract<Intent, { readonly kind: 'valid' }> {
  return { kind: 'valid', exercises, mayRefuse };
}

/** What is odd about a request with an identifier that another item has. */
export const takenId = 'an identifier that is taken';

export function sendsTakenId({ intent }: Pick<Exchange, 'intent'>): boolean {
  return intent.kind === 'unspecified' && intent.way === takenId;
}

/** The status of the response; undefined if none came. */
export function statusOf({ outcome }: Pick<Exchange, 'outcome'>): number | undefined {
  return outcome.kind === 'answered' ? outcome.response.status : undefined;
}

/** Whether a target responded, even in a way that cannot be judged. */
export function hasResponded({ outcome }: Pick<Exchange, 'outcome'>): boolean {
  return (
    outcome.kind === 'answered' ||
    ['endless', 'too-large', 'undecodable'].includes(outcome.error.reason)
  );
}

/** A body as JSON; undefined if there is none, or it is not JSON. */
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
 * The body of a response as JSON; undefined if it is not JSON. Parsed once, because judges and
 * reports ask for it often.
 */
export const jsonOf = once((response: ReceivedResponse) => readMarked(response, ''));

/** The same, with distinct marks where the key was cut. */
export function readMarked(response: ReceivedResponse, mark: string): JsonValue | undefined {
  return readJson(markCuts(response.body, mark), parseJudged);
}

/** All values of a header, combined as in RFC 9110 section 5.3; undefined if it is missing. */
export function headerOf(
  { headers }: Pick<ReceivedResponse, 'headers'>,
  name: string,
): string | undefined {
  const wanted = name.toLowerCase();
  let found: string | undefined;
  for (const [field, value] of headers) {
    // Most names differ in length already.
    if (field.length !== wanted.length || field.toLowerCase() !== wanted) continue;
    const text = value.trim().replaceAll(redactedKey, headerMark);
    found = found === undefined ? text : `${found}, ${text}`;
  }
  return found;
}
