import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isJsonObject, parseJson, renderJson, type JsonValue } from '../../contract/json/value.ts';
import { hasCode } from '../../contract/error/petstore-error.ts';
import { type Exchange, exchangeLog } from '../transport/exchange.ts';
import { rerun } from './rerun.ts';
import { type RunRecord, runRecord, settleRun } from './settings.ts';
import { sampleReport } from '../../test/report/sample-report.ts';
import { petstore as contract } from '../../test/contract/petstore.ts';

const sample = sampleReport(contract);

const record: RunRecord = {
  ...sample.record,
  plan: undefined,
  nearMisses: undefined,
  references: { categoryId: 2n ** 63n - 1n, 'nested/~': { __proto__: null, list: [1.5, null] } },
  saved: [
    {
      requirement: 'a',
      tag: 'Pcabcd',
      steps: [
        {
          operation: 'b',
          intent: {
            kind: 'invalid',
            requirement: 'c',
            also: 'd',
            way: 'e',
            status: 400,
            unless: ['f'],
          },
          path: { id: { step: 0, item: 2 }, other: 'x' },
          query: { limit: '1' },
          body: '{}',
          credential: 'cut',
          group: 'g',
        },
        { operation: 'b', intent: { kind: 'beyond' } },
      ],
    },
  ],
};

const [first] = sample.exchanges;
const plain: Exchange = {
  index: 0,
  probe: 'p',
  intent: { kind: 'beyond' },
  request: {
    operation: 'o',
    method: 'GET',
    target: '/',
    headers: [['a', 'b']],
    credential: 'valid',
    body: undefined,
  },
  outcome: { kind: 'no-response', error: { reason: 'timeout', message: '\u0000' } },
  sentAt: 1.5,
  endedAt: 2,
  group: 'together-1',
};
const intents: readonly Exchange['intent'][] = [
  { kind: 'valid', exercises: ['a'], mayRefuse: [] },
  { kind: 'invalid', requirement: 'a', way: 'b', status: 400 },
  { kind: 'invalid', requirement: 'a', also: 'c', way: 'b', status: 400, unless: [] },
  { kind: 'absent', requirement: 'a', id: '1' },
  { kind: 'beyond' },
  { kind: 'open', question: 'a', way: 'b' },
];
const log: readonly Exchange[] = [
  ...(first !== undefined ? [first] : []),
  ...intents.map((intent) => ({ ...plain, intent })),
].map((exchange, index) => ({ ...exchange, index }));

const through = (value: JsonValue): JsonValue => parseJson(renderJson(value));

describe('what is written reads back unchanged', () => {
  test.each([sample.record, record])('a record', (each) => {
    expect(runRecord.read(through(runRecord.render(each)), '')).toEqual(each);
  });

  test('exchanges', () => {
    expect(exchangeLog.read(through(exchangeLog.render(log)), '')).toEqual(log);
    expect(exchangeLog.read([], '')).toEqual([]);
  });
});

/** A value with one member changed; undefined leaves it out. */
function changed(
  value: JsonValue,
  path: readonly (string | number)[],
  change: JsonValue | undefined,
): JsonValue {
  const [step, ...rest] = path;
  if (step === undefined) return change ?? null;
  if (Array.isArray(value))
    return value.map((each: JsonValue, index) =>
      index === step ? changed(each, rest, change) : each,
    );
  if (!isJsonObject(value)) return value;
  const saved = Object.entries(value).filter(
    ([name]) => name !== step || rest.length > 0 || change !== undefined,
  );
  const altered = saved.map(
    ([name, member]) =>
      [name, name === step ? changed(member ?? null, rest, change) : member] as const,
  );
  const added =
    change !== undefined && rest.length === 0 && !Object.hasOwn(value, step)
      ? [[step, change] as const]
      : [];
  return Object.fromEntries([...altered, ...added]);
}

function complaint(read: () => unknown): string {
  try {
    read();
    return '';
  } catch (error) {
    if (!hasCode(error, 'shape')) throw error;
    return error.message;
  }
}

describe('anything else is rejected in one line with its position', () => {
  test.each<[readonly (string | number)[], JsonValue | undefined, string]>([
    [[], [], 'the whole has to be an object'],
    [['apiKey'], 'x', '/apiKey is unknown here'],
    [['seed'], undefined, '/seed is missing'],
    [['seed'], '1', '/seed has to be a whole number'],
    [['fuzz'], 1e9, '/fuzz has to be a whole number from 0 to 1000000'],
    [['requests'], 1.5, '/requests has to be a whole number'],
    [['readOnly'], null, '/readOnly has to be true or false'],
    [['only'], ['a', 1], '/only/1 has to be a text'],
    [['plan'], 7, '/plan has to be a text'],
    [['baseUrl'], 'ftp://a.example', '/baseUrl has to be a base address'],
    [['baseUrl'], 'http://a.example/v1/', '/baseUrl has to be a base address'],
    [['nearMisses'], [], '/nearMisses has to be longer'],
    [['nearMisses'], ['valid'], '/nearMisses has to be longer'],
    [['waivers', 0, 'expires'], 'never', '/waivers/0/expires has to be a day'],
    [['waivers', 0, 'state'], 'used', '/waivers/0/state is unknown here'],
    [
      ['saved'],
      Array.from({ length: 1001 }, () => ({ requirement: 'a', tag: 'b', steps: [] })),
      '/saved has to have at most 1000 entries',
    ],
    [
      ['saved', 0, 'steps', 0, 'intent', 'kind'],
      'other',
      '/saved/0/steps/0/intent/kind has to be one of valid',
    ],
    [
      ['saved', 0, 'steps', 0, 'path', 'id', 'step'],
      -1,
      '/saved/0/steps/0/path/id/step has to be a whole number',
    ],
    [['startedAt'], -1, '/startedAt has to be a time'],
    [['endedAt'], 1e17, '/endedAt has to be a time'],
    [['references'], [], '/references has to be an object'],
  ])('a record with %j as %j', (path, change, message) => {
    expect(
      complaint(() =>
        runRecord.read(
          changed(
            through(runRecord.render({ ...record, waivers: sample.record.waivers })),
            path,
            change,
          ),
          '',
        ),
      ),
    ).toContain(message);
  });

  test.each<[readonly (string | number)[], JsonValue | undefined, string]>([
    [[], {}, 'the whole has to be a list'],
    [[1, 'index'], 0, '/1/index has to be 1, its position in the log'],
    [[0, 'request', 'body'], undefined, '/0/request/body is missing'],
    [[0, 'request', 'credential'], 'none', '/0/request/credential has to be one of valid'],
    [[0, 'request', 'headers', 0], ['a'], '/0/request/headers/0 has to be a name and a value'],
    [
      [0, 'request', 'headers', 0],
      ['a', 'b', 'c'],
      '/0/request/headers/0 has to be a name and a value',
    ],
    [
      [0, 'outcome', 'response', 'status'],
      99,
      '/0/outcome/response/status has to be a whole number from 100',
    ],
    [[0, 'outcome', 'error'], {}, '/0/outcome/error is unknown here'],
    [
      [1, 'outcome', 'error', 'reason'],
      'other',
      '/1/outcome/error/reason has to be one of timeout',
    ],
    [[0, 'intent', 'question'], 'x', '/0/intent/question is unknown here'],
    [[2, 'intent', 'also'], null, '/2/intent/also has to be a text'],
    [[0, 'sentAt'], '1', '/0/sentAt has to be a time'],
    [[0, 'group'], 1, '/0/group has to be a text'],
    [[0, 'a/b~'], 1, '/0/a~1b~0 is unknown here'],
  ])('a log with %j as %j', (path, change, message) => {
    expect(
      complaint(() =>
        exchangeLog.read(changed(through(exchangeLog.render(log)), path, change), ''),
      ),
    ).toContain(message);
  });

  test('any other JSON, with the same kind of error', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.jsonValue({ maxDepth: 4 }),
        fc.constantFrom(...Object.keys(record)),
        async (value, name) => {
          const json = parseJson(JSON.stringify(value));
          expect(complaint(() => runRecord.read(json, ''))).not.toBe('');
          complaint(() => exchangeLog.read(json, ''));
          const other = changed(runRecord.render(record), [name], json);
          if (complaint(() => runRecord.read(other, '')) !== '') return;
          expect((await rerun(contract, runRecord.read(other, ''), [])).departures).not.toEqual([]);
        },
      ),
      { seed: 11, numRuns: 300 },
    );
  });
});

test.each<[unknown, string]>([
  [{ requests: '60' }, 'The option requests has to be a whole number from 0 to 1000000.'],
  [{ timeout: Number.NaN }, 'The option timeout has to be a whole number from 0 on.'],
  [{ only: 'auth' }, 'The option only has to be a list.'],
  [{ waivers: [{ requirement: 'a' }] }, 'The option waivers/0/reason is missing.'],
])(
  'options of another type, which only JavaScript can pass, are refused: %j',
  (options, message) => {
    const target = { baseUrl: 'http://127.0.0.1:1/v1', apiKey: undefined };
    expect(() => settleRun(contract, target, Object(options))).toThrow(message);
  },
);
