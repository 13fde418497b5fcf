import { expect, test } from 'vitest';
import { requirementId } from '../judge/trace/requirement.ts';
import type { OpenQuestionKind } from '../../contract/openapi/open-question.ts';
import type { Exchange, Intent } from '../transport/exchange.ts';
import { readTrace } from '../family/read-trace.ts';
import { observeOpen, questionKinds } from './index.ts';
import { petstore as contract } from '../../test/contract/petstore.ts';

/** A request and its response; a valid list with 200 where nothing else is said. */
interface Sent {
  readonly operation?: 'listPets' | 'createPet' | 'getPet';
  readonly target?: string;
  /** Id of the question that it was sent for. */
  readonly asks?: string;
  readonly mayRefuse?: readonly string[];
  readonly body?: unknown;
  readonly status?: number;
  readonly response?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly method?: string;
  /** Headers of the request. */
  readonly sends?: Readonly<Record<string, string>>;
  readonly credential?: 'missing';
}

/** Half a minute into the window that ends 1200 seconds after 1970, in milliseconds. */
const start = 1_170_000;

const methods = { listPets: 'GET', createPet: 'POST', getPet: 'GET' } as const;

function write(
  { operation = 'listPets', target, asks, mayRefuse = [], body, headers, ...sent }: Sent,
  index: number,
): Exchange {
  const intent: Intent =
    asks === undefined
      ? { kind: 'valid', exercises: [], mayRefuse }
      : { kind: 'open', question: asks, way: 'a way' };
  const { response } = sent;
  const text = typeof response === 'string' ? response : JSON.stringify(response ?? []);
  return {
    index,
    probe: 'a probe',
    intent,
    request: {
      operation,
      method: sent.method ?? methods[operation],
      target: target ?? '/pets',
      headers: Object.entries(sent.sends ?? {}),
      credential: sent.credential ?? 'valid',
      body: body === undefined ? undefined : JSON.stringify(body),
    },
    outcome: {
      kind: 'answered',
      response: {
        status: sent.status ?? (operation === 'createPet' ? 201 : 200),
        headers: Object.entries({ 'content-type': 'application/json', ...headers }),
        body: text,
        utf8: true,
      },
    },
    sentAt: start + index,
    endedAt: start + index,
    group: undefined,
  };
}

/** What the observations of one question are, as `choices: evidence`. */
function observe(question: string, log: readonly Sent[]): readonly string[] {
  const found = observeOpen(readTrace(contract, log.map(write)));
  return [...found].flatMap((finding) => {
    if (finding.kind === 'open' && finding.question === question)
      return [`${finding.choices.join(' or ') || 'else'}: ${finding.evidence}`];
    const isOwn =
      finding.kind === 'unclear' && finding.requirement === requirementId.open(question);
    return isOwn ? [finding.reason] : [];
  });
}

const pet = (id: number, more: object = {}): object => ({
  id,
  name: `Pet ${id}`,
  categoryId: 1,
  status: 'sold',
  ...more,
});

const create = (body: object, id = 7, more: Partial<Sent> = {}): Sent => ({
  operation: 'createPet',
  body,
  response: pet(id, body),
  ...more,
});

const refused = (body: object, more: Partial<Sent> = {}): Sent => ({
  operation: 'createPet',
  body,
  status: 400,
  response: { code: 'invalid_body', message: 'No.' },
  ...more,
});

const limited = (response: unknown, headers: Readonly<Record<string, string>> = {}): Sent => ({
  status: 429,
  response,
  headers,
});

const error = '{"code":"invalid_body","message":"No.","status":400}';
const tooMany = '{"code":"rate_limited","message":"Later.","status":429}';
const ids = (...all: readonly number[]): readonly object[] => all.map((id) => pet(id));
const fresh = { mayRefuse: ['category-existence'] };
const waf = { status: 403, mayRefuse: ['name-limits'] };

type Row = readonly [question: string, log: readonly Sent[], said: readonly string[]];

/** The headers of a quota. */
const quota = (remaining: number, reset: number): Sent => ({
  headers: {
    'X-RateLimit-Limit': '60',
    'X-RateLimit-Remaining': String(remaining),
    'X-RateLimit-Reset': String(reset),
  },
});

/** Served requests, one after another, with these Resets. */
const quotas = (resets: readonly number[]): readonly Sent[] =>
  resets.map((reset, index) => quota(59 - index, reset));

/** Requests without a key, counted or not. */
const keyless = (...remaining: readonly number[]): readonly Sent[] =>
  remaining.map((left) => ({ ...quota(left, 1200), status: 401, credential: 'missing' }));

/** Refused requests with the key. */
const refusals = (...remaining: readonly number[]): readonly Sent[] =>
  remaining.map((left) => ({ ...quota(left, 1200), status: 404, response: error }));

const rows: Readonly<Partial<Record<OpenQuestionKind, readonly Row[]>>> = {
  accept: [
    [
      'accept-header',
      [{ asks: 'accept-header', status: 406, response: error }],
      [`not-acceptable: a way: received 406 ${error}`],
    ],
    ['accept-header', [{ asks: 'accept-header' }], ['ignored: a way: received 200 []']],
    [
      'accept-header',
      [{ asks: 'accept-header', status: 406, response: '' }],
      ['else: a way: received 406 without a body'],
    ],
  ],
  'default-value': [
    [
      'status-default',
      [create({ name: 'A', categoryId: 1 }, 7, { response: pet(7) })],
      ['sold: added without `status`, received "sold"'],
    ],
    [
      'status-default',
      [create({ name: 'A', categoryId: 1 }, 7, { response: { id: 7, name: 'A', categoryId: 1 } })],
      ['absent: added without `status`, received nothing'],
    ],
    ['status-default', [create({ name: 'A', categoryId: 1, status: 'sold' })], []],
  ],
  'error-code': [
    ['error-codes', [refused({})], ['reason: 400 with "invalid_body"']],
    [
      'error-codes',
      [refused({}, { response: { code: 'Bad Request', message: '' } }), refused({})],
      ['status-phrase: 400 with "Bad Request"', 'reason: 400 with "invalid_body"'],
    ],
    [
      'error-codes',
      [refused({}, { response: { code: '400', message: '' } })],
      ['status-number: 400 with "400"'],
    ],
  ],
  'invalid-parameter': [
    [
      'invalid-limit',
      [{ asks: 'invalid-limit', target: '/pets?limit=0', status: 400, response: error }],
      [`refused: /pets?limit=0 returned 400 ${error}`],
    ],
    [
      'invalid-limit',
      [{ asks: 'invalid-limit', target: '/pets?limit=0', response: ids(1) }],
      ['clamped or ignored: /pets?limit=0 returned 200 with 1 item'],
    ],
    [
      'invalid-limit',
      [
        { response: ids(1, 2, 3) },
        { asks: 'invalid-limit', target: '/pets?limit=many', response: ids(1) },
      ],
      ['clamped: /pets?limit=many returned 200 with 1 item'],
    ],
    [
      'invalid-limit',
      [{ asks: 'invalid-limit', target: '/pets?limit=1e1', response: ids(1, 2, 3) }],
      [],
    ],
    [
      'unknown-status',
      [{ response: ids(1) }, { asks: 'unknown-status', target: '/pets?status=x', response: [] }],
      ['empty: /pets?status=x returned 200 with 0 items'],
    ],
    [
      'unknown-status',
      [{ asks: 'unknown-status', target: '/pets?status=unknown', response: [] }],
      ['empty or ignored: /pets?status=unknown returned 200 with 0 items'],
    ],
  ],
  'invalid-path-parameter': [
    [
      'invalid-pet-id',
      [
        {
          asks: 'invalid-pet-id',
          operation: 'getPet',
          target: '/pets/abc',
          status: 404,
          response: error,
        },
      ],
      [`not-found: a way: received 404 ${error}`],
    ],
  ],
  'malformed-body': [
    [
      'malformed-body',
      [refused({}, { asks: 'malformed-body', status: 422, response: error })],
      [`unprocessable: a way: received 422 ${error}`],
    ],
  ],
  order: [
    ['list-order', [{ response: ids(1, 2, 14) }], ['id-ascending: 3 items, the first [1,2,14]']],
    [
      'list-order',
      [{ response: ids(4, 2, 1) }, { response: ids(2, 1) }],
      ['id-descending: 3 items, the first [4,2,1]'],
    ],
    ['list-order', [{ response: ids(1, 3, 2) }], ['none: 3 items, the first [1,3,2]']],
    ['list-order', [{ response: ids(1, 2) }], []],
  ],
  'order-of-checks': [
    [
      'order-of-checks',
      [refused({}, { asks: 'order-of-checks', status: 401, response: '' })],
      ['credential-first: a way: received 401 without a body'],
    ],
    [
      'order-of-checks',
      [refused({}, { asks: 'order-of-checks', response: '' })],
      ['body-first: a way: received 400 without a body'],
    ],
  ],
  paging: [
    [
      'paging',
      [{ response: ids(1, 2) }, { target: '/pets?limit=1', response: ids(1) }],
      ['none or query-parameters: a list of 1 item without a link to the others'],
    ],
    [
      'paging',
      [
        {
          target: '/pets?limit=1',
          response: ids(1),
          headers: { link: '</pets?cursor=1>; rel="next"' },
        },
      ],
      ['link-header: Link: </pets?cursor=1>; rel="next"'],
    ],
    [
      'paging',
      [{ target: '/pets?limit=1', response: ids(1), headers: { 'x-next-page': '2' } }],
      ['else: a header refers to more items'],
    ],
    ['paging', [{ target: '/pets?limit=2', response: ids(1) }], []],
  ],
  'rate-limit-body': [
    ['rate-limit-body', [limited(tooMany)], [`error: 429 ${tooMany}`]],
    ['rate-limit-body', [limited('')], ['empty: 429 without a body']],
    [
      'rate-limit-body',
      [limited('Slow', { 'content-type': 'text/plain' })],
      ['text: 429 (text/plain) Slow'],
    ],
    [
      'rate-limit-body',
      [limited('<p>', { 'content-type': 'text/html' })],
      ['else: 429 (text/html) <p>'],
    ],
  ],
  'read-only-property': [
    [
      'client-id',
      [create({ id: 9, name: 'A', categoryId: 1 }, 7, { asks: 'client-id', response: pet(7) })],
      ['ignored: a way: received 201 {"id":7,"name":"Pet 7","categoryId":1,"status":"sold"}'],
    ],
    [
      'client-id',
      [
        refused({ id: 9, other: 'x' }, { asks: 'client-id' }),
        refused({ id: 9 }, { asks: 'client-id', response: error }),
      ],
      [`refused: a way: received 400 ${error}`],
    ],
  ],
  reference: [
    [
      'category-existence',
      [
        create({ name: 'A', categoryId: 1 }),
        create({ name: 'A', categoryId: 5 }, 8, fresh),
        create({ name: 'A', categoryId: 6 }, 9, fresh),
      ],
      ['any or from-1: accepted 3 different values of `categoryId`, including 1, 5, 6'],
    ],
    [
      'category-existence',
      [create({ name: 'A', categoryId: 1 }), create({ name: 'A', categoryId: 5 }, 8, fresh)],
      ['every choice fits: accepted 2 different values of `categoryId`, including 1, 5'],
    ],
    [
      'category-existence',
      [
        create({ name: 'A', categoryId: 5 }, 8, fresh),
        create({ name: 'A', categoryId: 6 }, 9, fresh),
        create({ name: 'A', categoryId: 0 }, 10, fresh),
        refused({ name: 'A', categoryId: -1 }, fresh),
      ],
      [
        'any or from-1: accepted 2 different values of `categoryId`, including 5, 6',
        'any: accepted 1 value of `categoryId`, 0',
        'must-exist or from-1: rejected (400) 1 value of `categoryId`, -1',
      ],
    ],
  ],
  'request-media-type': [
    [
      'request-media-type',
      [
        refused(
          {},
          {
            asks: 'request-media-type',
            status: 415,
            response: error,
            sends: { 'content-type': 'text/plain' },
          },
        ),
      ],
      [`unsupported: a way: received 415 ${error}`],
    ],
  ],
  'retry-after-format': [
    ['retry-after-format', [limited('', { 'Retry-After': '7' })], ['seconds: Retry-After: 7']],
    [
      'retry-after-format',
      [limited(''), limited('', { 'Retry-After': 'Mon, 05 Jan 2026 12:00:10 GMT' })],
      ['http-date: Retry-After: Mon, 05 Jan 2026 12:00:10 GMT'],
    ],
    ['retry-after-format', [limited('', { 'Retry-After': 'soon' })], ['else: Retry-After: soon']],
  ],
  'string-limits': [
    [
      'name-limits',
      [create({ name: 'A', categoryId: 1 })],
      ['every choice fits: accepted 1 value of `name`, "A"'],
    ],
    [
      'name-limits',
      [create({ name: 'A', categoryId: 1 }), refused({ name: '' }, { asks: 'name-limits' })],
      ['not-empty or at-most-255 or printable: rejected (400) 1 value of `name`, ""'],
    ],
    [
      'name-limits',
      [create({ name: '' }, 7, { asks: 'name-limits' }), refused({ name: 'a<b' }, waf)],
      ['none: accepted 1 value of `name`, ""', 'else: rejected (403) 1 value of `name`, "a<b"'],
    ],
    [
      'name-limits',
      [create({ name: 'A' }), refused({ name: '' }, { asks: 'name-limits', status: 422 })],
      ['else: rejected (422) 1 value of `name`, ""'],
    ],
  ],
  'undescribed-requests': [
    [
      'undescribed-requests',
      [
        {
          asks: 'undescribed-requests',
          method: 'DELETE',
          status: 405,
          response: error,
          headers: { Allow: 'GET' },
        },
      ],
      [`http: a way: received 405 ${error}`],
    ],
    [
      'undescribed-requests',
      [{ asks: 'undescribed-requests', target: '/none', status: 404, response: error }],
      [`every choice fits: a way: received 404 ${error}`],
    ],
  ],
  'undescribed-operations': [
    [
      'store-operations',
      [{ asks: 'store-operations', target: '/store/orders', status: 404, response: '' }],
      ['not-served: a way: received 404 without a body'],
    ],
    [
      'store-operations',
      [{ asks: 'store-operations', target: '/store/orders' }],
      ['served: a way: received 200 []'],
    ],
    [
      'store-operations',
      [{ asks: 'store-operations', target: '/store/orders', status: 403, response: '' }],
      ['every choice fits: a way: received 403 without a body'],
    ],
  ],
  versioning: [
    [
      'versioning',
      [{ asks: 'versioning', target: '/../v2/pets', status: 404, response: '' }],
      ['one-version: a way: received 404 without a body'],
    ],
  ],
  marks: [
    [
      'experimental-operations',
      [{ headers: { 'X-Experimental': 'true' } }],
      ['marked: listPets returned X-Experimental: true'],
    ],
    [
      'experimental-operations',
      [{}],
      ['every choice fits: no header in 1 responses marks an operation'],
    ],
    [
      'experimental-operations',
      [{ headers: { 'Access-Control-Expose-Headers': 'Link, X-Experimental', Vary: 'X-Beta' } }],
      ['every choice fits: no header in 1 responses marks an operation'],
    ],
    [
      'experimental-operations',
      [
        {
          headers: {
            'Access-Control-Expose-Headers': 'X-Experimental',
            'X-Experimental': 'true',
          },
        },
      ],
      ['marked: listPets returned X-Experimental: true'],
    ],
  ],
  transitions: [
    [
      'status-transitions',
      [{ response: [pet(1, { status: 'available' })] }, { response: [pet(1)] }],
      ['elsewhere: `status` of the item 1 was "available" and is "sold"'],
    ],
    [
      'status-transitions',
      [{ response: [pet(1)] }, { response: [pet(1)] }],
      ['every choice fits: 1 item was seen, 1 of them more than once, and none had changed'],
    ],
  ],
  'window-kind': [
    ['window-kind', quotas([1200, 1200, 1200, 1200, 1200]), ['fixed: Reset 1200 in 5 responses']],
    [
      'window-kind',
      quotas([1201, 1202, 1203, 1204, 1205]),
      ['sliding: Reset 1201, 1202, 1203 in 5 responses'],
    ],
    [
      'window-kind',
      quotas([1217, 1217, 1217, 1217, 1217]),
      ['from-first-request or sliding: Reset 1217 in 5 responses'],
    ],
  ],
  'counted-requests': [
    [
      'counted-requests',
      [...quotas([1200, 1200, 1200, 1200, 1200, 1200]), ...refusals(54, 54, 54, 54, 54)],
      [
        'successful: Remaining decreased with 0 of 5 rejected requests, and with all 5 accepted ones',
      ],
    ],
  ],
  'anonymous-callers': [
    [
      'anonymous-callers',
      keyless(9, 8, 7),
      ['by-address or together: Remaining decreased with 2 of 2 requests without a key'],
    ],
    [
      'anonymous-callers',
      keyless(9, 9, 9),
      ['every choice fits: Remaining decreased with 0 of 2 requests without a key'],
    ],
    [
      'anonymous-callers',
      [
        ...quotas([1200, 1200, 1200, 1200, 1200, 1200]),
        ...refusals(53, 52, 51, 50, 49),
        ...keyless(9, 9, 9),
      ],
      ['uncounted: Remaining decreased with 0 of 2 requests without a key'],
    ],
    ['anonymous-callers', keyless(9, 8), []],
  ],
  'key-issuance': [
    [
      'key-issuance',
      [{ response: ids(1) }, refused({ name: 'A' }, { status: 403 })],
      ['scoped: createPet returned 403 for every request with the key'],
    ],
  ],
  'unknown-properties': [
    [
      'unknown-properties',
      [create({ name: 'A', other: 'x' }, 7, { asks: 'unknown-properties', response: { id: 7 } })],
      ['ignored: sent `other`, received 201 {"id":7}'],
    ],
    [
      'unknown-properties',
      [create({ other: 'x' }, 7, { asks: 'client-id', response: { id: 7, other: 'x' } })],
      ['kept: sent `other`, received 201 {"id":7,"other":"x"}'],
    ],
    [
      'unknown-properties',
      [
        create({ name: 'A', categoryId: 1 }),
        refused({ other: 'x' }, { asks: 'client-id' }),
        refused({ other: 'x' }, { asks: 'unknown-properties', response: error }),
      ],
      [`refused: sent \`other\`, received 400 ${error}`],
    ],
  ],
};

const logs = Object.entries(rows).flatMap(([kind, all]) =>
  all.map((row, index) => [`${kind} ${index + 1}`, ...row] as const),
);

test.each(logs)('%s', (_name, question, log, said) => {
  expect(observe(question, log)).toEqual(said);
});

test('every kind of question has logs in this test', () => {
  const read = Object.entries(questionKinds).flatMap(([kind, { observe: reads }]) =>
    reads === undefined ? [] : [kind],
  );
  expect(Object.keys(rows).toSorted()).toEqual(read.toSorted());
});

test('an operation that always refuses the key proves nothing else', () => {
  const forbidden = refused({ name: '' }, { asks: 'name-limits', status: 403 });
  expect(observe('name-limits', [forbidden])).toEqual([]);
});
