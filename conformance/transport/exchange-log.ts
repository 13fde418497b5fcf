import { type JsonObject, type JsonValue } from '../../contract/index.ts';
import type {
  ReceivedResponse,
  ClientIntent,
  ClientRefusal,
  CredentialUse,
  Exchange,
  TransportError,
  Intent,
  Outcome,
  SentRequest,
} from './exchange.ts';
import {
  choiceOf,
  listOf,
  LogError,
  openMembers,
  orNull,
  readFlag,
  readInstant,
  readText,
  wholeFrom,
  type Read,
} from './log-reader.ts';

/**
 * Exchanges as JSON, as reports and logs have them: what a type says may be undefined is `null`,
 * what may be missing is left out. Reads back equal.
 */
export function renderExchanges(exchanges: readonly Exchange[]): readonly JsonValue[] {
  return exchanges.map(renderEntry);
}

/**
 * Reads exchanges from JSON, strictly: unknown members, other types and an index out of turn are
 * refused.
 * @throws {LogError} for the first thing that is wrong
 */
export function readExchanges(value: JsonValue): readonly Exchange[] {
  return listOf(readExchange)(value, '').map((exchange, index) => {
    if (exchange.index === index) return exchange;
    throw new LogError(`/${index}/index`, `has to be ${index}, its position in the log`);
  });
}

/** One exchange as JSON. */
export function renderEntry({
  index,
  probe,
  intent,
  request,
  outcome,
  sentAt,
  endedAt,
  group,
}: Exchange): JsonObject {
  return {
    index,
    probe,
    intent: renderIntent(intent),
    request: renderRequest(request),
    outcome: renderOutcome(outcome),
    sentAt,
    endedAt,
    group: group ?? null,
  };
}

export function renderRequest({
  operation,
  method,
  target,
  headers,
  credential,
  body,
}: SentRequest): JsonObject {
  return { operation, method, target, headers, credential, body: body ?? null };
}

export function renderIntent(intent: Intent): JsonObject {
  switch (intent.kind) {
    case 'valid':
      return { kind: intent.kind, exercises: intent.exercises, mayRefuse: intent.mayRefuse };
    case 'invalid': {
      const { kind, requirement, way, status, also, unless } = intent;
      return {
        kind,
        requirement,
        ...(also === undefined ? {} : { also }),
        way,
        status,
        ...(unless === undefined ? {} : { unless }),
      };
    }
    case 'absent':
      return { kind: intent.kind, requirement: intent.requirement, id: intent.id };
    case 'beyond':
      return { kind: intent.kind };
    case 'open':
      return { kind: intent.kind, question: intent.question, way: intent.way };
    case 'client': {
      const { kind, scenario, key, connection, refusal, isWhole } = intent;
      return {
        kind,
        scenario,
        key: key ?? null,
        connection: connection ?? null,
        refusal:
          refusal === undefined ? null : { reason: refusal.reason, message: refusal.message },
        isWhole,
      };
    }
  }
}

function renderOutcome(outcome: Outcome): JsonObject {
  if (outcome.kind === 'no-response')
    return {
      kind: outcome.kind,
      error: { reason: outcome.error.reason, message: outcome.error.message },
    };
  const { status, headers, body, utf8 } = outcome.response;
  return { kind: outcome.kind, response: { status, headers, body, utf8 } };
}

const uses: readonly CredentialUse[] = [
  'valid',
  'missing',
  'invalid',
  'other-scheme',
  'cut',
  'longer',
  'other-case',
];

export const readCredentialUse: Read<CredentialUse> = choiceOf(uses);

const readExchange: Read<Exchange> = (value, at) => {
  const { need } = openMembers(value, at, [
    'index',
    'probe',
    'intent',
    'request',
    'outcome',
    'sentAt',
    'endedAt',
    'group',
  ]);
  return {
    index: need('index', wholeFrom(0, Number.MAX_SAFE_INTEGER)),
    probe: need('probe', readText),
    intent: need('intent', readIntent),
    request: need('request', readRequest),
    outcome: need('outcome', readOutcome),
    sentAt: need('sentAt', readInstant),
    endedAt: need('endedAt', readInstant),
    group: need('group', orNull(readText)),
  };
};

const readRequest: Read<SentRequest> = (value, at) => {
  const { need } = openMembers(value, at, [
    'operation',
    'method',
    'target',
    'headers',
    'credential',
    'body',
  ]);
  return {
    operation: need('operation', readText),
    method: need('method', readText),
    target: need('target', readText),
    headers: need('headers', listOf(readHeader)),
    credential: need('credential', readCredentialUse),
    body: need('body', orNull(readText)),
  };
};

const readHeader: Read<readonly [name: string, value: string]> = (value, at) => {
  const [name, text, ...more] = listOf(readText)(value, at);
  if (name === undefined || text === undefined || more.length > 0)
    throw new LogError(at, 'has to be a name and a value');
  return [name, text];
};

/** Reads what a request was sent for. */
export const readIntent: Read<Intent> = (value, at) => {
  const { need } = openMembers(
    value,
    at,
    ['kind'],
    [
      'exercises',
      'mayRefuse',
      'requirement',
      'way',
      'status',
      'also',
      'unless',
      'id',
      'question',
      'scenario',
      'key',
      'connection',
      'refusal',
      'isWhole',
    ],
  );
  return readIntentOf(
    need(
      'kind',
      choiceOf<Intent['kind']>(['valid', 'invalid', 'absent', 'beyond', 'open', 'client']),
    ),
    value,
    at,
  );
};

function readIntentOf(kind: Intent['kind'], value: JsonValue, at: string): Intent {
  switch (kind) {
    case 'valid': {
      const { need } = openMembers(value, at, ['kind', 'exercises', 'mayRefuse']);
      return {
        kind,
        exercises: need('exercises', listOf(readText)),
        mayRefuse: need('mayRefuse', listOf(readText)),
      };
    }
    case 'invalid': {
      const { need, take } = openMembers(
        value,
        at,
        ['kind', 'requirement', 'way', 'status'],
        ['also', 'unless'],
      );
      const [also, unless] = [take('also', readText), take('unless', listOf(readText))];
      const plain = {
        kind,
        requirement: need('requirement', readText),
        way: need('way', readText),
        status: need('status', wholeFrom(100, 999)),
      };
      return {
        ...plain,
        ...(also === undefined ? {} : { also }),
        ...(unless === undefined ? {} : { unless }),
      };
    }
    case 'absent': {
      const { need } = openMembers(value, at, ['kind', 'requirement', 'id']);
      return { kind, requirement: need('requirement', readText), id: need('id', readText) };
    }
    case 'beyond':
      openMembers(value, at, ['kind']);
      return { kind };
    case 'open': {
      const { need } = openMembers(value, at, ['kind', 'question', 'way']);
      return { kind, question: need('question', readText), way: need('way', readText) };
    }
    case 'client':
      return readClientIntent(value, at);
  }
}

const readClientIntent: Read<ClientIntent> = (value, at) => {
  const { need } = openMembers(value, at, [
    'kind',
    'scenario',
    'key',
    'connection',
    'refusal',
    'isWhole',
  ]);
  return {
    kind: 'client',
    scenario: need('scenario', readText),
    key: need('key', orNull(readText)),
    connection: need('connection', orNull(wholeFrom(0, Number.MAX_SAFE_INTEGER))),
    refusal: need('refusal', orNull(readRefusal)),
    isWhole: need('isWhole', readFlag),
  };
};

const readRefusal: Read<ClientRefusal> = (value, at) => {
  const { need } = openMembers(value, at, ['reason', 'message']);
  return { reason: need('reason', readText), message: need('message', readText) };
};

const readOutcome: Read<Outcome> = (value, at) => {
  const { need } = openMembers(value, at, ['kind'], ['response', 'error']);
  const kind = need('kind', choiceOf<Outcome['kind']>(['answered', 'no-response']));
  if (kind === 'answered')
    return {
      kind,
      response: openMembers(value, at, ['kind', 'response']).need('response', readResponse),
    };
  return {
    kind,
    error: openMembers(value, at, ['kind', 'error']).need('error', readTransportError),
  };
};

const readResponse: Read<ReceivedResponse> = (value, at) => {
  const { need } = openMembers(value, at, ['status', 'headers', 'body', 'utf8']);
  return {
    status: need('status', wholeFrom(100, 999)),
    headers: need('headers', listOf(readHeader)),
    body: need('body', readText),
    utf8: need('utf8', readFlag),
  };
};

const reasons: readonly TransportError['reason'][] = [
  'timeout',
  'cut',
  'not-http',
  'unreachable',
  'name',
  'tls',
];

const readTransportError: Read<TransportError> = (value, at) => {
  const { need } = openMembers(value, at, ['reason', 'message']);
  return { reason: need('reason', choiceOf(reasons)), message: need('message', readText) };
};
