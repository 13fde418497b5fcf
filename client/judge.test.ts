import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import {
  type ClientIntent,
  type ReceivedResponse,
  type Report,
  routerOf,
  type SentRequest,
} from '../conformance/index.ts';
import { parseJson } from '../contract/json/value.ts';
import {
  plainLayout,
  renderHar,
  renderHtml,
  renderJsonReport,
  renderJunit,
  renderMarkdown,
  renderText,
} from '../report/index.ts';
import type { Contract } from '../contract/contract.ts';
import { composeClientReport, judgeClient } from './judge.ts';
import type { ClientEnd, ClientLog } from './log.ts';
import {
  type AnyEntry,
  begin,
  bodyType,
  composeExchange,
  timesOf,
} from '../test/conformance/log.ts';
import { petstore } from '../test/contract/petstore.ts';
import { books } from '../test/contract/books.ts';
import { loadYaml } from '../test/conformance/judge-document.ts';

/** A request of a client; by default a list request that gets 200 `[]` at once. */
interface LogEntry extends AnyEntry {
  readonly method?: string;
  readonly sentHeaders?: SentRequest['headers'];
  /** Of the response. */
  readonly headers?: ReceivedResponse['headers'];
  readonly refusal?: string;
  readonly key?: string;
  readonly connection?: number;
  /** When its connection was opened, and when the client closed it: milliseconds since the log began. */
  readonly opened?: number;
  readonly closed?: number;
  readonly isWhole?: boolean;
  readonly scenario?: string;
}

function composeLog(
  contract: Contract,
  log: readonly LogEntry[],
  source: ClientLog['source'] = 'scenarios',
): ClientLog {
  const times = timesOf(log);
  const [list] = contract.resources.map((resource) => resource.list.path);
  const exchanges = log.map((entry, index) => {
    const { target = list ?? '/', scenario = 'plain', answer = '[]', headers = [] } = entry;
    const { method = entry.body === undefined ? 'GET' : 'POST' } = entry;
    const { sentHeaders = bodyType(entry) } = entry;
    const sentAt = times[index] ?? begin;
    const route = routerOf(contract)(method, target);
    const operation = route.kind === 'operation' ? route.operation.id : '';
    return composeExchange(
      { ...entry, target, answer },
      {
        index,
        probe: scenario,
        intent: intentOf(entry, scenario, sentAt),
        sentAt,
        group: undefined,
      },
      { operation, method, headers: sentHeaders },
      headers,
    );
  });
  return { source, exchanges };
}

function intentOf(entry: LogEntry, scenario: string, arrived: number): ClientIntent {
  const { credential = 'valid', key = 'alice/Free', opened, closed, isWhole = true } = entry;
  const times = opened !== undefined && {
    opened: begin + opened,
    arrived,
    closed: closed === undefined ? undefined : begin + closed,
  };
  const { refusal: reason } = entry;
  return {
    kind: 'client',
    scenario,
    key: credential === 'valid' ? key : undefined,
    connection: entry.connection,
    ...(times && { times }),
    refusal: reason === undefined ? undefined : { reason, message: 'Refused.' },
    isWhole,
  };
}

/** Ends of commands, by result. */
const ends: Readonly<Record<'well' | 'badly' | 'late' | 'killed', ClientEnd>> = {
  well: { kind: 'exited', code: 0 },
  badly: { kind: 'exited', code: 1 },
  late: { kind: 'timeout' },
  killed: { kind: 'killed', signal: 'SIGSEGV' },
};

interface Case {
  readonly log: readonly LogEntry[];
  readonly contract?: Contract;
  readonly source?: ClientLog['source'];
  /** Ends of commands by scenario. */
  readonly played?: Readonly<Record<string, ClientEnd>>;
}

const judge = ({
  log,
  contract = petstore,
  source,
  played = {},
}: Case): ReturnType<typeof judgeClient> =>
  judgeClient(contract, composeLog(contract, log, source), {
    scenarios: Object.entries(played).map(([id, end]) => ({ id, mustSucceed: true, end })),
  });

const idsOf = (kind: string, given: Case): readonly string[] =>
  judge(given)
    .filter((verdict) => verdict.kind === kind)
    .map(({ requirement }) => requirement.id.replace(/^client\//, ''));

const firstFailure = (given: Case): readonly string[] =>
  judge(given).flatMap((verdict) =>
    verdict.kind === 'failed'
      ? [`${verdict.failures[0]?.expected} / ${verdict.failures[0]?.received}`]
      : [],
  );

type Headers = NonNullable<LogEntry['headers']>;

const seconds = (value: number | string): Headers => [['Retry-After', `${value}`]];
const busy = (value: number | string, more: LogEntry = {}): LogEntry => ({
  status: 429,
  refusal: 'rate_limited',
  headers: seconds(value),
  ...more,
});
const date = (milliseconds: number): string => new Date(begin + milliseconds).toUTCString();
const spent = (reset: number): Headers => [
  ['X-RateLimit-Remaining', '0'],
  ['X-RateLimit-Reset', `${begin / 1000 + reset}`],
];
const pet = '{"name":"Rex","categoryId":1}';
const big = '{"id":9007199254740993,"name":"Rex","categoryId":9007199254740995}';
const gone = Date.parse('2030-12-05T00:00:00Z') - begin;

/** For each rule what breaks it, and nothing else, with what is said of it. */
const broken: Readonly<Record<string, Case & { readonly says: string }>> = {
  'rate-limit.retry-after-seconds': {
    log: [busy(2), { at: 1500 }],
    says: 'no request with the key for 2 s after Retry-After: 2 / GET /pets 1.5 s after it',
  },
  'rate-limit.retry-after-date': {
    log: [busy(date(3000)), { at: 1000 }],
    says: `no request with the key for 3 s after Retry-After: ${date(3000)} / GET /pets 1 s after it`,
  },
  'rate-limit.back-off': {
    log: [busy(1), busy(1), busy(1), { at: 3020 }],
    says: 'waits that grow from one 429 to the next / waits of 1 s, 1 s, 1.02 s',
  },
  'rate-limit.ban': {
    log: [
      ...[0, 5, 200, 900].map((at) => busy('soon', { at, connection: 1 })),
      busy(60, { at: 3000, refusal: 'banned', connection: 1 }),
    ],
    says: 'no request with the key after a 429 until the wait is over / 4 requests that got 429 within 3 s, then a ban',
  },
  'rate-limit.remaining': {
    log: [{ headers: spent(30) }, { at: 10_000 }],
    says: 'no request with the key for 30 s after X-RateLimit-Remaining: 0 / GET /pets 10 s after it',
  },
  'auth.key': {
    log: [{}, { credential: 'missing', status: 401 }],
    says: 'the key of the client / GET /pets with no key',
  },
  'auth.key-elsewhere': {
    log: [{ target: '/pets?token=[redacted]' }],
    says: 'the key in its place only / the key in the query',
  },
  'auth.refused-key': {
    log: [{}, ...Array.from({ length: 4 }, () => ({ status: 401 }))],
    says: 'at most 3 requests in a row with a key that gets a 401 / 4 of them',
  },
  'request.valid': {
    log: [{ body: '{"name":"Rex","categoryId":"1"}', status: 400 }],
    says: 'a body in which /categoryId must be an integer, not the string "1" / {"name":"Rex","categoryId":"1"}',
  },
  'request.refused-again': {
    log: [
      { body: pet, status: 400 },
      { body: pet, status: 201 },
    ],
    says: 'another request, or none / POST /pets again, unchanged',
  },
  'request.repeated': {
    log: [
      { body: pet, lost: 'cut' },
      { body: pet, lost: 'timeout' },
      { body: pet, status: 201 },
    ],
    says: 'at most 1 repetition before a GET that shows what happened / 2 repetitions of POST /pets',
  },
  'integer.exact': {
    log: [
      { answer: `[${big}]` },
      { body: '{"name":"Max","categoryId":9007199254740996}', status: 201 },
    ],
    says: '9007199254740995 / 9007199254740996',
  },
  'getPet.deprecated': {
    log: [{ target: '/pets/1' }],
    says: 'listPets in its place / GET /pets/1 on 2026-01-05',
  },
  'getPet.removed': {
    log: [{ at: gone, target: '/pets/1', status: 404 }],
    says: 'listPets in its place / GET /pets/1 on 2030-12-05',
  },
  'response.unknown-fields': {
    log: [{ scenario: 'unknown-fields', answer: '[{"x":1}]' }],
    played: { 'unknown-fields': ends.badly },
    says: 'the command ends with exit code 0 / it ended with exit code 1',
  },
  'response.unknown-value': {
    log: [{ scenario: 'unknown-value', answer: '[{"status":"lost"}]' }],
    played: { 'unknown-value': ends.killed },
    says: 'the command ends with exit code 0 / it was killed by SIGSEGV',
  },
  'response.empty-page': {
    log: [{ scenario: 'empty-pages' }],
    played: { 'empty-pages': ends.badly, plain: ends.well },
    says: 'the command ends with exit code 0 / it ended with exit code 1',
  },
  'response.full-page': {
    log: [{ scenario: 'full-pages', answer: '[{}]' }],
    played: { 'full-pages': ends.late },
    says: 'the command ends with exit code 0 / it did not end in time',
  },
};

describe('a log breaks exactly one rule', () => {
  test.each(Object.entries(broken))('%s', (rule, { says, ...given }) => {
    expect(idsOf('failed', given)).toEqual([rule]);
    expect(firstFailure(given)).toEqual([says]);
  });

  test('every rule', () => {
    expect(
      judge({ log: [] })
        .map(({ requirement }) => requirement.id.slice('client/'.length))
        .toSorted(),
    ).toEqual(Object.keys(broken).toSorted());
  });
});

/** Other ways to break a rule, and nothing else. */
const alsoBroken: readonly (readonly [string, string, Case])[] = [
  [
    'a try at once on the same connection',
    'rate-limit.retry-after-seconds',
    { log: [busy(1, { connection: 1 }), { at: 1, connection: 1 }] },
  ],
  [
    'a try at once on connections of their own, twice',
    'rate-limit.retry-after-seconds',
    {
      log: [
        busy(1, { connection: 1 }),
        busy(1, { at: 6, connection: 2 }),
        { at: 12, connection: 3 },
      ],
    },
  ],
  [
    'another request while it has to wait',
    'rate-limit.retry-after-seconds',
    { log: [busy(60), { at: 30_000, body: pet, status: 201 }] },
  ],
  [
    'a try before what both refusals said is over',
    'rate-limit.retry-after-seconds',
    {
      log: [
        busy(3, { connection: 1 }),
        busy(2, { at: 60, target: '/pets?limit=2', connection: 2 }),
        { at: 1500, connection: 3 },
      ],
    },
  ],
  [
    'a wait that does not outlast a ban',
    'rate-limit.retry-after-seconds',
    { log: [busy(60, { refusal: 'banned' }), { at: 30_000 }] },
  ],
  [
    'hardly longer waits',
    'rate-limit.back-off',
    { log: [busy(1), busy(1, { at: 1050 }), busy(1, { at: 2100 }), { at: 3200 }] },
  ],
  [
    'parallel tries in step',
    'rate-limit.back-off',
    {
      log: [0, 1000, 2000, 3000].flatMap((at) =>
        [1, 2, 3].map((connection) =>
          busy(1, { at: at + connection, target: `/pets?limit=${connection}`, connection }),
        ),
      ),
    },
  ],
  [
    'another request at once, on a connection opened after that of the 429 was closed',
    'rate-limit.retry-after-seconds',
    {
      log: [
        busy(2, { at: 0, connection: 1, opened: -1, closed: 0.2 }),
        { at: 0, body: pet, status: 201, connection: 2, opened: 0.3 },
      ],
    },
  ],
  [
    'the same body once more, sent beside others on a connection opened after that of the 429 was closed',
    'rate-limit.retry-after-seconds',
    {
      log: [
        busy(2, { at: 0, body: pet, connection: 1, opened: -2, closed: 1 }),
        busy(2, { at: 1, target: '/pets?limit=2', connection: 2, opened: -1, closed: 2 }),
        { at: 3, body: pet, status: 201, connection: 3, opened: 2.5 },
      ],
    },
  ],
  [
    'going on at once with a refused key, on a new connection each time',
    'auth.refused-key',
    {
      log: Array.from({ length: 5 }, (_, at) => ({
        at,
        status: 401,
        connection: at,
        opened: at - 0.1,
        closed: at + 0.5,
      })),
    },
  ],
  ['another key', 'auth.key', { log: [{ credential: 'invalid', status: 401 }] }],
  ['the key in another form', 'auth.key', { log: [{ credential: 'other-scheme', status: 401 }] }],
  ['the key in the path', 'auth.key-elsewhere', { log: [{ target: '/pets;[redacted]' }] }],
  [
    'the key in a header',
    'auth.key-elsewhere',
    {
      log: [
        {
          sentHeaders: [
            ['authorization', 'Bearer [redacted]'],
            ['x-api-key', '[redacted]'],
          ],
        },
      ],
    },
  ],
  [
    'the key in the body',
    'auth.key-elsewhere',
    { log: [{ body: '{"name":"[redacted]","categoryId":1}', status: 201 }] },
  ],
  ['a parameter out of range', 'request.valid', { log: [{ target: '/pets?limit=101' }] }],
  ['a parameter of the wrong type', 'request.valid', { log: [{ target: '/pets?limit=ten' }] }],
  [
    'a parameter that is sent twice',
    'request.valid',
    { log: [{ target: '/pets?limit=1&limit=2' }] },
  ],
  ['an empty value', 'request.valid', { log: [{ target: '/pets?status=' }] }],
  ['no body', 'request.valid', { log: [{ method: 'POST', status: 400 }] }],
  ['no JSON', 'request.valid', { log: [{ body: '{', status: 400 }] }],
  [
    'another media type',
    'request.valid',
    { log: [{ body: pet, sentHeaders: [['content-type', 'text/plain']], status: 415 }] },
  ],
  [
    'an integer beyond 64 bits',
    'request.valid',
    { log: [{ body: '{"name":"Rex","categoryId":9223372036854775808}', status: 400 }] },
  ],
  [
    'a long integer with fewer digits',
    'integer.exact',
    {
      log: [
        { answer: `[${big}]` },
        { body: '{"name":"Max","categoryId":9007199254740990000}', status: 201 },
        { body: '{"name":"Max","categoryId":9007200000000000}', status: 201 },
      ],
    },
  ],
];

describe('is the only rule broken by', () => {
  test.each(alsoBroken)('%s: %s', (_way, rule, given) => {
    expect(idsOf('failed', given)).toEqual([rule]);
  });

  test('an integer that was rounded into a path', () => {
    expect(
      idsOf('failed', {
        log: [{ answer: `[${big}]` }, { target: '/pets/9007199254740992', status: 404 }],
      }),
    ).toEqual(['integer.exact', 'getPet.deprecated']);
  });
});

/** What a client may do, and the rule that it may be thought to break. */
const valid: readonly (readonly [string, string, Case])[] = [
  [
    'the wait is as long as was said',
    'rate-limit.retry-after-seconds',
    { log: [busy(2), { at: 2000 }] },
  ],
  ['the wait is longer', 'rate-limit.retry-after-seconds', { log: [busy(2), { at: 20_000 }] }],
  [
    'a timer fires a little early',
    'rate-limit.retry-after-seconds',
    { log: [busy(2), { at: 1905 }] },
  ],
  [
    'the response was late',
    'rate-limit.retry-after-seconds',
    { log: [busy(2, { takes: 3000 }), { at: 5000 }] },
  ],
  [
    'requests were under way when the 429 came',
    'rate-limit.retry-after-seconds',
    {
      log: [
        busy(2, { at: 0, takes: 50, connection: 1 }),
        { at: 10, connection: 2 },
        { at: 40, connection: 3 },
        { at: 2100, connection: 1 },
      ],
    },
  ],
  [
    'requests were on their way when the 429 was sent',
    'rate-limit.retry-after-seconds',
    {
      log: [
        busy(2, { connection: 1, opened: -4 }),
        { at: 8, connection: 2, opened: -3 },
        { at: 60, target: '/pets?limit=2', connection: 3, opened: -2 },
        { at: 2100, connection: 1, opened: -4 },
      ],
    },
  ],
  [
    'another key continues',
    'rate-limit.retry-after-seconds',
    { log: [busy(60), { key: 'alice/Pro' }, { at: 60_000 }] },
  ],
  [
    'another scenario continues',
    'rate-limit.retry-after-seconds',
    { log: [busy(60), { scenario: 'other' }, { at: 60_000 }] },
  ],
  [
    'the clock was set forward',
    'rate-limit.retry-after-seconds',
    { log: [busy(60), { at: 3_600_000 }] },
  ],
  [
    'the clock was set back',
    'rate-limit.retry-after-seconds',
    {
      log: [
        busy(60, { at: 3_600_000 }),
        { at: 0 },
        { at: 3_605_000 },
        busy(60, { at: 3_700_000 }),
        { at: 3_760_000 },
      ],
    },
  ],
  [
    'the wait is until the date',
    'rate-limit.retry-after-date',
    { log: [busy(date(3000)), { at: 3000 }] },
  ],
  [
    'the wait is by the Date of the response',
    'rate-limit.retry-after-date',
    {
      log: [
        {
          status: 429,
          headers: [
            ['Retry-After', date(63_000)],
            ['Date', date(60_000)],
          ],
        },
        { at: 3000 },
      ],
    },
  ],
  [
    'waits double',
    'rate-limit.back-off',
    { log: [busy(1), busy(1, { at: 1000 }), busy(1, { at: 3000 }), { at: 7000 }] },
  ],
  [
    'waits have jitter',
    'rate-limit.back-off',
    { log: [busy(1), busy(1, { at: 1800 }), busy(1, { at: 3100 }), { at: 7000 }] },
  ],
  [
    'waits are a whole window',
    'rate-limit.back-off',
    { log: [busy(60), busy(60, { at: 60_000 }), busy(60, { at: 120_000 }), { at: 180_000 }] },
  ],
  [
    'one series grows, and one by chance does not',
    'rate-limit.back-off',
    {
      log: [
        busy(1),
        busy(1),
        busy(1),
        { at: 3000 },
        busy(1, { at: 4000 }),
        busy(1, { at: 5000 }),
        busy(1, { at: 7000 }),
        { at: 11_000 },
      ],
    },
  ],
  [
    'parallel tries grow',
    'rate-limit.back-off',
    {
      log: [0, 1000, 3000, 7000].flatMap((at) =>
        [1, 2, 3].map((connection) =>
          busy(1, { at: at + connection, target: `/pets?limit=${connection}`, connection }),
        ),
      ),
    },
  ],
  [
    'a ban comes from elsewhere',
    'rate-limit.ban',
    { log: [busy(2, { refusal: 'banned' }), { at: 2000 }] },
  ],
  [
    'a ban comes long after a 429',
    'rate-limit.ban',
    { log: [busy(2), { at: 2000 }, busy(2, { at: 9000, refusal: 'banned' })] },
  ],
  [
    'nothing is sent until Reset',
    'rate-limit.remaining',
    { log: [{ headers: spent(30) }, { at: 30_000 }] },
  ],
  [
    'Reset is by the Date of the response',
    'rate-limit.remaining',
    { log: [{ headers: [...spent(90), ['Date', date(60_000)]] }, { at: 30_000 }] },
  ],
  [
    'requests were on their way when nothing remained',
    'rate-limit.remaining',
    {
      log: [
        { headers: spent(30), connection: 1, opened: -2 },
        { at: 5, connection: 2, opened: -1 },
        { at: 30_000 },
      ],
    },
  ],
  [
    'a request on its way was answered with a shorter wait',
    'rate-limit.retry-after-seconds',
    {
      log: [
        busy(3, { connection: 1, opened: -2 }),
        busy(2, { at: 60, target: '/pets?limit=2', connection: 2, opened: -1 }),
        { at: 2065, connection: 3 },
      ],
    },
  ],
  [
    'many requests were under way when the limit was reached, up to a ban',
    'rate-limit.ban',
    {
      log: [
        ...Array.from({ length: 11 }, (_, connection) =>
          busy(2, { at: connection, connection, opened: -1 }),
        ),
        busy(2, { at: 12, connection: 11, opened: -1, refusal: 'banned' }),
        { at: 2100 },
      ],
    },
  ],
  [
    'a request was sent on a new connection before the response was, and the first one closed then',
    'rate-limit.retry-after-seconds',
    {
      log: [
        busy(2, { connection: 1, opened: -2, closed: 3 }),
        busy(2, { at: 4, body: pet, connection: 2, opened: -1, closed: 5 }),
        { at: 2100, connection: 3, opened: 2099 },
      ],
    },
  ],
  [
    'workers that began one after another had each its own connection',
    'rate-limit.ban',
    {
      log: [
        busy(2, { at: 0, connection: 1, opened: -1, closed: 1 }),
        busy(2, { at: 3, target: '/pets?limit=2', connection: 2, opened: 2, closed: 5 }),
        busy(2, { at: 4, target: '/pets?limit=3', connection: 3, opened: 2.5, closed: 6 }),
        busy(2, { at: 9, target: '/pets?limit=4', connection: 4, opened: 8, closed: 10 }),
        { at: 2500, connection: 5, opened: 2499 },
      ],
    },
  ],
  [
    'the client gave up on a slow response before it came',
    'rate-limit.retry-after-seconds',
    {
      log: [
        busy(2, { takes: 2000, connection: 1, opened: -1, closed: 1000 }),
        busy(2, { at: 1001, connection: 2, opened: 1000.5 }),
        { at: 4100, connection: 2, opened: 1000.5 },
      ],
    },
  ],
  [
    'a request that no operation takes has no key',
    'auth.key',
    {
      log: [
        {},
        { method: 'OPTIONS', credential: 'missing', status: 204 },
        { target: '/favicon.ico', credential: 'missing', status: 404 },
      ],
    },
  ],
  [
    'the key is in its header',
    'auth.key-elsewhere',
    { log: [{ sentHeaders: [['Authorization', 'Bearer [redacted]']] }] },
  ],
  [
    'a refused key is tried again once',
    'auth.refused-key',
    { log: [{ status: 401 }, { status: 401 }, {}] },
  ],
  [
    'many requests were under way with a key that is refused',
    'auth.refused-key',
    {
      log: Array.from({ length: 9 }, (_, connection) => ({
        at: connection,
        takes: 50,
        status: 401,
        connection,
      })),
    },
  ],
  [
    'what the document is silent on is sent',
    'request.valid',
    {
      log: [
        {},
        { target: '/pets?page=2' },
        { target: '/categories' },
        { body: '{"id":7,"name":"","categoryId":-1,"colour":"red"}', status: 400 },
      ],
    },
  ],
  [
    'a valid body is refused',
    'request.refused-again',
    {
      log: [
        { body: pet, status: 400 },
        { body: '{"name":"Max","categoryId":1}', status: 201 },
      ],
    },
  ],
  [
    'a media type has parameters',
    'request.valid',
    {
      log: [
        {
          body: pet,
          sentHeaders: [['Content-Type', 'Application/JSON; charset=utf-8']],
          status: 201,
        },
      ],
    },
  ],
  [
    'a body is not there to its end',
    'request.valid',
    { log: [{}, { body: '{"name":"Re', isWhole: false, status: 201 }] },
  ],
  [
    'two alike were under way when one got a 400',
    'request.refused-again',
    {
      log: [
        { at: 0, body: pet, takes: 50, status: 400, connection: 1 },
        { at: 10, body: pet, status: 400, connection: 2 },
      ],
    },
  ],
  [
    'a lost POST is repeated once',
    'request.repeated',
    {
      log: [
        { body: pet, lost: 'cut' },
        { body: pet, status: 201 },
      ],
    },
  ],
  [
    'a lost POST is looked after',
    'request.repeated',
    {
      log: [{ body: pet, lost: 'cut' }, { body: pet, lost: 'cut' }, {}, { body: pet, status: 201 }],
    },
  ],
  [
    'integers come back exactly',
    'integer.exact',
    {
      log: [
        { answer: `[${big}]` },
        { body: '{"name":"Max","categoryId":9007199254740995}', status: 201 },
      ],
    },
  ],
  [
    'an integer is not of a response',
    'integer.exact',
    {
      log: [
        { answer: `[${big}]` },
        { body: '{"name":"Max","categoryId":9007199254740995}', status: 201 },
        { body: '{"name":"Max","categoryId":9223372036854775807}', status: 201 },
      ],
    },
  ],
  [
    'two integers are neighbours',
    'integer.exact',
    {
      log: [
        { answer: '[{"id":9007199254740992},{"id":9007199254740993}]' },
        { body: '{"name":"Max","categoryId":9007199254740992}', status: 201 },
      ],
    },
  ],
  ['the successor is used', 'getPet.deprecated', { log: [{}] }],
  ['the successor is used when the operation is gone', 'getPet.removed', { log: [{ at: gone }] }],
  [
    'the list is empty',
    'response.empty-page',
    { log: [{ scenario: 'empty-pages' }], played: { 'empty-pages': ends.well } },
  ],
];

describe('is kept if', () => {
  test.each(valid)('%s: %s', (_way, rule, given) => {
    expect([idsOf('failed', given), idsOf('passed', given)]).toEqual([
      [],
      expect.arrayContaining([rule]),
    ]);
  });
});

describe('is not tested', () => {
  const reasonOf = (rule: string, given: Case): string | undefined =>
    judge(given).flatMap((verdict) =>
      verdict.kind === 'not-tested' && verdict.requirement.id === `client/${rule}`
        ? [verdict.reason]
        : [],
    )[0];

  test('if a pending request was answered with a wait that ends before Reset, and the client waited that long', () => {
    const given = {
      log: [
        { headers: spent(3), connection: 1, opened: -2 },
        busy(2, { at: 60, body: pet, connection: 2, opened: -1 }),
        { at: 2065, body: pet, status: 201, connection: 3 },
      ],
    };
    expect([idsOf('failed', given), reasonOf('rate-limit.remaining', given)]).toEqual([
      [],
      'the client respected a later, shorter wait',
    ]);
  });

  const excused = /^only the tolerance excuses request \d+, which came so soon after/;
  test.each<[string, string, Case]>([
    [
      'a request soon after a 429, on another connection',
      'rate-limit.retry-after-seconds',
      {
        log: [
          busy(2, { connection: 1 }),
          { at: 60, target: '/pets?limit=2', connection: 2 },
          { at: 2200, connection: 1 },
          busy(2, { connection: 1 }),
          { at: 6000, connection: 1 },
        ],
      },
    ],
    [
      'one on a connection that was open before and had been used',
      'rate-limit.retry-after-seconds',
      {
        log: [
          { at: 0, connection: 2, opened: -1 },
          busy(2, { at: 1000, connection: 1, opened: -1 }),
          { at: 1005, body: pet, connection: 2, opened: -1 },
          { at: 4000, connection: 1, opened: -1 },
        ],
      },
    ],
    [
      'one that came long after, on a connection that was open before',
      'rate-limit.retry-after-seconds',
      {
        log: [
          busy(2, { connection: 1, opened: -2 }),
          { at: 600, body: pet, connection: 2, opened: -1 },
          { at: 3000, connection: 1, opened: -2 },
        ],
      },
    ],
    [
      'one where nothing remained',
      'rate-limit.remaining',
      { log: [{ headers: spent(30) }, { at: 20, body: pet, status: 201 }, { at: 40_000 }] },
    ],
    [
      'requests with a refused key',
      'auth.refused-key',
      {
        log: Array.from({ length: 5 }, (_, at) => ({
          at,
          status: 401,
          target: `/pets?limit=${at + 1}`,
          connection: at,
        })),
      },
    ],
    [
      'the body that was answered 400',
      'request.refused-again',
      {
        log: [
          { at: 0, body: pet, status: 400, connection: 1 },
          { at: 5, body: pet, status: 400, connection: 2 },
        ],
      },
    ],
  ])('if only the tolerance excuses %s', (_way, rule, given) => {
    expect([idsOf('failed', given), reasonOf(rule, given)]).toEqual([
      [],
      expect.stringMatching(excused),
    ]);
  });

  test('if nothing was sent: each rule says what is missing', () => {
    const verdicts = judge({ log: [] });
    expect(verdicts.filter(({ kind }) => kind !== 'not-tested')).toEqual([]);
    expect(
      verdicts
        .map((verdict) => (verdict.kind === 'not-tested' ? verdict.reason : ''))
        .filter((reason) => !/^(no|nothing|every|the) /.test(reason)),
    ).toEqual([]);
  });

  test.each([
    [
      'rate-limit.retry-after-seconds',
      { log: [busy(2)] },
      'no request followed a 429 with seconds in Retry-After',
    ],
    [
      'rate-limit.retry-after-seconds',
      { log: [busy('soon'), {}] },
      'no request followed a 429 with seconds in Retry-After',
    ],
    [
      'rate-limit.back-off',
      { log: [busy(1), busy(1), { at: 2000 }] },
      'no 3 waits in a row followed a 429 each',
    ],
    ['getPet.removed', { log: [{ at: gone - 1 }] }, 'the client sent nothing from 2030-12-05 on'],
    [
      'response.empty-page',
      {
        log: [{ scenario: 'empty-pages', body: pet, status: 201, answer: big }],
        played: { 'empty-pages': ends.badly },
      },
      'the client sent no request that gets such a response',
    ],
    [
      'response.empty-page',
      {
        log: [{ scenario: 'empty-pages' }],
        played: { 'empty-pages': ends.badly, plain: ends.badly },
      },
      'the command also fails in the scenario `plain`',
    ],
    [
      'integer.exact',
      { log: [{ answer: '[{"id":1}]' }, { target: '/pets/1' }] },
      'the client returned no integer beyond 2^53 that it received',
    ],
    ['integer.exact', { log: [{}], source: 'journal' }, 'a journal does not store responses'],
    [
      'auth.key',
      { log: [{}], source: 'journal' },
      'requests without a valid key are in the journal of main, whoever sent them',
    ],
    ['auth.key-elsewhere', { log: [{}], source: 'journal' }, 'a journal does not store headers'],
    [
      'response.full-page',
      { log: [{}], source: 'journal' },
      'a journal does not show how the client went on',
    ],
  ] as const)('%s %#', (rule, given, reason) => {
    expect(reasonOf(rule, given)).toBe(reason);
  });

  test("nor is a browser's preflight judged", () => {
    const log = [
      {
        method: 'OPTIONS',
        target: '/pets?key=[redacted]',
        sentHeaders: [['Access-Control-Request-Method', 'GET']] as const,
        credential: 'missing' as const,
        status: 204,
      },
    ];
    expect([idsOf('failed', { log }), idsOf('passed', { log })]).toEqual([[], []]);
  });

  test('nor are requests of the suite itself judged', () => {
    const { exchanges } = composeLog(petstore, [{ target: '/pets?limit=0' }]);
    const own = exchanges.map((exchange) => ({ ...exchange, intent: { kind: 'beyond' } as const }));
    expect(
      judgeClient(petstore, { source: 'scenarios', exchanges: own }, { scenarios: [] }).filter(
        ({ kind }) => kind !== 'not-tested',
      ),
    ).toEqual([]);
  });
});

describe('it does not apply', () => {
  const spared = (rule: string, given: Case): readonly string[] =>
    judge(given).flatMap((verdict) =>
      verdict.kind === 'not-tested' &&
      verdict.requirement.id === `client/${rule}` &&
      verdict.requirement.subject.kind === 'client' &&
      !verdict.requirement.subject.applies
        ? [verdict.reason]
        : [],
    );
  const small = '{"name":"Rex","categoryId":1}';
  const lists: readonly LogEntry[] = ['plain', 'large-ids'].map((scenario) => ({
    scenario,
    answer: `[${big}]`,
  }));
  const adds: readonly LogEntry[] = ['plain', 'large-ids'].map((scenario) => ({
    scenario,
    body: small,
    status: 201,
    answer: big,
  }));
  const bothWell = { plain: ends.well, 'large-ids': ends.well };

  test.each<[string, string, Case]>([
    [
      'rate-limit.back-off',
      'a client that gives up at a 429',
      { log: [busy(1, { scenario: 'repeated-429' })], played: { 'repeated-429': ends.badly } },
    ],
    [
      'request.refused-again',
      'a client that uses no operation that returns 400',
      {
        log: [{ scenario: 'refused-body', target: '/pets/1', status: 200, answer: big }],
        played: { 'refused-body': ends.well },
      },
    ],
    [
      'request.repeated',
      'a client that sends neither POST nor PATCH',
      { log: [{ scenario: 'lost-response' }], played: { 'lost-response': ends.well } },
    ],
    [
      'integer.exact',
      'a client that sends no integer that it received',
      { log: [...lists, ...adds], played: bothWell },
    ],
    [
      'response.empty-page',
      'a client whose usual work gets no empty list',
      {
        log: [{ scenario: 'empty-pages', body: small, status: 201, answer: big }],
        played: { 'empty-pages': ends.well },
      },
    ],
    [
      'response.unknown-fields',
      'a client whose usual work gets no item',
      { log: [{ scenario: 'unknown-fields' }], played: { 'unknown-fields': ends.well } },
    ],
  ])('%s, to %s', (rule, whom, given) => {
    expect(spared(rule, given)).toEqual([`it does not apply to ${whom}`]);
    expect(spared(rule, { ...given, played: {} })).toEqual([]);
  });

  test.each<[string, string, Case]>([
    [
      'rate-limit.back-off',
      'a client that tries again',
      {
        log: [busy(1, { scenario: 'repeated-429' }), { scenario: 'repeated-429' }],
        played: { 'repeated-429': ends.well },
      },
    ],
    [
      'integer.exact',
      'a client that sends other integers where integers are large',
      {
        log: [
          ...lists,
          { scenario: 'plain', body: small, status: 201 },
          { scenario: 'large-ids', body: '{"name":"Rex","categoryId":3}', status: 201 },
        ],
        played: bothWell,
      },
    ],
    [
      'response.empty-page',
      'a client that fails there',
      {
        log: [{ scenario: 'empty-pages', body: small, status: 201 }],
        played: { 'empty-pages': ends.badly },
      },
    ],
    [
      'request.repeated',
      'a client that was interrupted',
      { log: [{ scenario: 'lost-response' }], played: { 'lost-response': { kind: 'aborted' } } },
    ],
  ])('but %s does to %s', (rule, _whom, given) => {
    expect(spared(rule, given)).toEqual([]);
  });

  test('every other rule has a hint on how to test it', () => {
    const reasons = judge({ log: [{}], played: { plain: ends.well } }).flatMap((verdict) =>
      verdict.kind === 'not-tested' ? [verdict.reason] : [],
    );
    expect(reasons.length).toBeGreaterThan(5);
    expect(reasons.filter((reason) => !reason.includes('; it must '))).toEqual([]);
  });
});

describe('by another document', () => {
  const first = begin / 1000;
  const cases: readonly (readonly [string, readonly LogEntry[]])[] = [
    ['rate-limit.retry-after-seconds', [busy(3), { at: 1000 }]],
    [
      'rate-limit.remaining',
      [
        {
          headers: [
            ['RateLimit-Remaining', '0'],
            ['RateLimit-Reset', `${first + 10}`],
          ],
        },
        { at: 5000 },
      ],
    ],
    [
      'auth.key-elsewhere',
      [
        {
          sentHeaders: [
            ['X-Api-Key', '[redacted]'],
            ['Authorization', 'Bearer [redacted]'],
          ],
        },
      ],
    ],
    ['request.valid', [{ target: '/books?pageSize=51' }]],
    ['request.valid', [{ target: '/books?lendable=yes' }]],
    [
      'request.valid',
      [
        {
          method: 'PATCH',
          target: '/books/7',
          body: '{}',
          sentHeaders: [['content-type', 'application/merge-patch+json']],
        },
      ],
    ],
    ['request.valid', [{ target: '/books/2147483648' }]],
    [
      'request.refused-again',
      [
        {
          method: 'PUT',
          target: '/books/7',
          body: '{"title":"Home","language":"fr","lendable":true,"price":0}',
          status: 400,
        },
        {
          method: 'PUT',
          target: '/books/7',
          body: '{"title":"Home","language":"fr","lendable":true,"price":0}',
        },
      ],
    ],
  ];
  test.each(cases)('%s is the only rule broken %#', (rule, log) => {
    expect(idsOf('failed', { log, contract: books })).toEqual([rule]);
  });

  test('a log with consistent names and numbers is valid', () => {
    const log: readonly LogEntry[] = [
      { target: '/books?pageSize=50&lendable=true', sentHeaders: [['X-Api-Key', '[redacted]']] },
      {
        headers: [
          ['X-RateLimit-Remaining', '0'],
          ['X-RateLimit-Reset', `${first + 99}`],
        ],
      },
      {
        method: 'PATCH',
        target: '/books/7',
        body: '{"shelf":null}',
        sentHeaders: [['content-type', 'application/merge-patch+json']],
      },
    ];
    expect(idsOf('failed', { log, contract: books })).toEqual([]);
  });
});

test('the same log and facts give the same verdicts, whenever they are judged', () => {
  const given: Case = {
    log: Object.values(broken).flatMap(({ log }) => log),
    played: { 'empty-pages': ends.badly },
  };
  expect(judge(given)).toEqual(judge(given));
});

test('a body that takes too many steps to judge passes no rule, and the client does not conform', async () => {
  const contract = await loadYaml(`
paths:
  /words:
    post:
      operationId: addWord
      requestBody:
        content:
          application/json:
            schema: { type: object, properties: { id: { type: integer }, word: { type: string, pattern: '^(\\w+)[a-z]*\\1$' } } }
      responses: { '201': { description: Added. } }
`);
  const reportOn = (...words: readonly object[]) => {
    const log = composeLog(
      contract,
      words.map((word) => ({ target: '/words', body: JSON.stringify(word), status: 201 })),
    );
    const judged = judgeClient(contract, log, { scenarios: [] });
    const subject = {
      name: 'a',
      baseUrl: 'http://a',
      plan: undefined,
      from: 0,
      to: 1,
    };
    return composeClientReport(contract, subject, log, judged);
  };
  const doubtful = 'a'.repeat(5000);
  expect(reportOn({ word: 'abab' }).outcome).toBe('conforms');
  expect(reportOn({ word: doubtful, id: 'one' }).outcome).toBe('failed');
  const undecided = reportOn({ word: 'abab' }, { word: doubtful });
  expect(undecided).toMatchObject({
    outcome: 'inconclusive',
    inconclusive: expect.stringContaining('request 1 was not fully judged: its body has a text'),
  });
});

const reportOn = (entries: readonly LogEntry[]): Report => {
  const exchanges = composeLog(petstore, entries);
  return composeClientReport(
    petstore,
    {
      name: 'node shop.js',
      baseUrl: 'http://127.0.0.1:4010/v1',
      plan: 'Free',
      from: begin,
      to: begin + 90_000,
    },
    exchanges,
    judgeClient(petstore, exchanges, { scenarios: [] }),
  );
};
const good = reportOn([{}]);
const bad = reportOn([{ target: '/pets/1' }, { target: '/pets?limit=0&key=[redacted]' }]);

const schema: unknown = JSON.parse(
  readFileSync(new URL('../docs/report.schema.json', import.meta.url), 'utf8'),
);
const ajv = new Ajv2020({
  strict: true,
  strictRequired: false,
  strictTypes: false,
  strictTuples: false,
});
addFormats.default(ajv);
const validate = ajv.compile(typeof schema === 'object' && schema !== null ? schema : {});

describe('a report on a client', () => {
  test('fails a client for a broken "must", not for a broken "should"', () => {
    expect([good.outcome, bad.outcome, reportOn([{ target: '/pets/1' }]).outcome]).toEqual([
      'conforms',
      'failed',
      'conforms',
    ]);
  });

  test('describes a client, not a server', () => {
    expect(renderText(good, petstore, plainLayout)).toMatch(
      /The client node shop\.js conforms to Petstore 1\.0\.0, as far as was tested: .*\n(?:.*\n)?1 request in 90\.00 s\.\n$/,
    );
    const text = renderText(bad, petstore, { ...plainLayout, width: 120 });
    expect(text).toContain('The client node shop.js fails 2 rules of Petstore 1.0.0: ');
    expect(text).toContain('FAILED  Broken: The client sends only parameters');
    expect(text).toContain('  received   GET /pets?limit=0&key=[redacted], where it is "0"');
    expect(text).toContain('Recommendations not followed\n  client/getPet.deprecated\n');
    expect(text).not.toMatch(/curl|seed|Open questions/);
  });

  test('is a report in every format', () => {
    for (const report of [good, bad]) {
      expect([validate(JSON.parse(renderJsonReport(report))), validate.errors]).toEqual([
        true,
        null,
      ]);
      expect(renderJunit(report, petstore)).toContain('name="client/request.valid"');
      expect(renderMarkdown(report, petstore)).toMatch(/^## Conformance: The client node shop\.js/);
      expect(renderMarkdown(report, petstore)).not.toMatch(/seed|```sh/);
      expect(parseJson(renderHar(report, petstore))).toMatchObject({ log: { version: '1.2' } });
      const page = renderHtml(report, petstore);
      expect(page).toContain('<p class="kind">Report on a client: ');
      expect(page.replace(/>\s+</g, '><')).toContain('<dt>Client</dt><dd>node shop.js</dd>');
      expect(page).not.toMatch(/<dt>Seed|Copy the curl line|id="rate-limit"/);
    }
  });

  test('applies waivers like a report on a server', () => {
    const waiver = {
      requirement: 'client/request.valid',
      reason: 'ticket 7',
      owner: 'ada',
      expires: '2027-01-31',
    };
    const exchanges = composeLog(petstore, [{ target: '/pets?limit=0' }]);
    const waived = composeClientReport(
      petstore,
      { name: 'x', baseUrl: '', plan: undefined, from: begin, to: begin },
      exchanges,
      judgeClient(petstore, exchanges, { scenarios: [] }),
      [waiver],
    );
    expect([waived.outcome, waived.counts.waived, waived.waivers[0]?.state]).toEqual([
      'conforms',
      1,
      'used',
    ]);
  });
});
