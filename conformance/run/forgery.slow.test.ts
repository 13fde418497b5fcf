import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createService } from '../../selftest/index.ts';
import { listen } from '../../selftest/service/listener.ts';
import type { ReceivedResponse, Exchange } from '../transport/exchange.ts';
import { type Report, rerun, runConformance, type RunRecord } from '../index.ts';
import { petstore as contract } from '../../test/contract/petstore.ts';

/**
 * Logs that were changed. Whoever has the signing key can recompute every hash; what
 * remains is that the suite would not have sent this, or that the report differs.
 * `nothing` means neither: there only a signature helps.
 */

/**
 * A run of everything, driven to the limit, by a clock that ticks whenever it is looked at: no two
 * times are the same.
 */
const honest = await (async () => {
  let time = Date.UTC(2026, 0, 5, 12, 0, 10);
  const clock = {
    now: () => (time += 1),
    sleep: async (milliseconds: number) => void (time += milliseconds),
  };
  const service = await listen(
    createService(
      { acceptNewPet: (value) => ({ ...value, name: value.name.replaceAll('狗', '?'), rest: {} }) },
      { now: clock.now },
    ),
  );
  const waivers = [
    {
      requirement: 'createPet/state.echo.name',
      reason: 'ticket 7',
      owner: 'ada',
      expires: '2026-01-31',
    },
  ];
  const report = await runConformance(
    contract,
    { baseUrl: service.baseUrl, apiKey: 'service-free' },
    { plan: 'Free', requests: 58, clock, exhaust: true, waivers },
  );
  await service.close();
  return report;
})();
const log = honest.exchanges;

type Result = 'departure' | 'other report' | 'nothing';

async function examine(
  exchanges: readonly Exchange[],
  record: RunRecord = honest.record,
): Promise<Result> {
  const again = await rerun(
    contract,
    record,
    exchanges.map((exchange, index) => ({ ...exchange, index })),
  );
  if (again.departures.length > 0) return 'departure';
  return again.report && renderVerdict(again.report) === renderVerdict(honest)
    ? 'nothing'
    : 'other report';
}

/** What a report says of a target: all that a rerun has to come to again. */
function renderVerdict(report: Report): string {
  const { run, target, outcome, counts, verdicts, waivers, leftBehind } = report;
  return JSON.stringify({ run, target, outcome, counts, verdicts, waivers, leftBehind });
}

async function explain(
  exchanges: readonly Exchange[],
  record: RunRecord = honest.record,
): Promise<string> {
  const { departures } = await rerun(
    contract,
    record,
    exchanges.map((exchange, index) => ({ ...exchange, index })),
  );
  return departures.map(({ exchange, sentence }) => `${exchange}: ${sentence}`).join('\n');
}

const indexOf = (find: (exchange: Exchange) => boolean): number => log.findIndex(find);
const creation = indexOf(({ probe }) => probe.startsWith('createPet/edge'));
const refusal = indexOf(
  ({ outcome }) => outcome.kind === 'answered' && outcome.response.status === 429,
);

/** One exchange of each operation, credential, intent and outcome, in the order of the log. */
const sample = [
  ...new Map(log.toReversed().map((each) => [kindOf(each), each])).values(),
].toReversed();

function kindOf({ request, intent, outcome, group, index }: Exchange): string {
  const status = outcome.kind === 'answered' ? outcome.response.status : outcome.kind;
  const isLimit = index >= refusal;
  const { operation, credential } = request;
  return [operation, credential, intent.kind, status, group !== undefined, isLimit].join();
}

/** What comes of one change made to each exchange of the sample, where it can be made. */
async function examineEach(
  change: (exchange: Exchange) => Exchange | undefined,
): Promise<ReadonlyMap<Result, readonly number[]>> {
  const results = new Map<Result, number[]>();
  for (const exchange of sample) {
    const { index } = exchange;
    const changed = change(exchange);
    if (changed === undefined) continue;
    const result = await examine(log.with(index, changed));
    results.set(result, [...(results.get(result) ?? []), index]);
  }
  return results;
}

function withResponse(
  exchange: Exchange,
  change: (response: ReceivedResponse) => Partial<ReceivedResponse> | undefined,
): Exchange | undefined {
  if (exchange.outcome.kind !== 'answered') return undefined;
  const changes = change(exchange.outcome.response);
  return (
    changes && {
      ...exchange,
      outcome: { kind: 'answered', response: { ...exchange.outcome.response, ...changes } },
    }
  );
}

test('the genuine log is accepted', async () => {
  expect(honest.outcome).toBe('conforms');
  expect(honest.waivers.map(({ state }) => state)).toEqual(['used']);
  expect(log.some(({ probe }) => probe.startsWith('shrink: '))).toBe(true);
  expect(refusal).toBeGreaterThan(0);
  expect(await examine(log)).toBe('nothing');
});

describe('no part of what the suite sent can be changed', () => {
  test.each<[string, (exchange: Exchange) => Exchange | undefined]>([
    ['the probe', (each) => ({ ...each, probe: `${each.probe} ` })],
    ['the intent', (each) => ({ ...each, intent: { kind: 'open', question: 'x', way: 'y' } })],
    ['the method', (each) => ({ ...each, request: { ...each.request, method: 'PUT' } })],
    ['the operation', (each) => ({ ...each, request: { ...each.request, operation: 'other' } })],
    [
      'the target',
      (each) => ({ ...each, request: { ...each.request, target: `${each.request.target}#` } }),
    ],
    [
      'the body',
      (each) => ({ ...each, request: { ...each.request, body: `${each.request.body ?? ''} ` } }),
    ],
    [
      'a header more',
      (each) => ({
        ...each,
        request: { ...each.request, headers: [...each.request.headers, ['x', 'y']] },
      }),
    ],
    [
      'a header less',
      (each) => ({ ...each, request: { ...each.request, headers: each.request.headers.slice(1) } }),
    ],
    [
      'the credential',
      (each) => ({
        ...each,
        request: {
          ...each.request,
          credential: each.request.credential === 'valid' ? 'invalid' : 'valid',
        },
      }),
    ],
    [
      'the group',
      (each) => ({ ...each, group: each.group === undefined ? 'together-1' : undefined }),
    ],
  ])('%s', async (_name, change) => {
    expect([...(await examineEach(change)).keys()]).toEqual(['departure']);
  });

  test('is reported with the difference', async () => {
    const exchange = log[creation];
    if (exchange === undefined) throw new Error('no addition');
    expect(
      await explain(
        log.with(creation, {
          ...exchange,
          request: { ...exchange.request, body: `${exchange.request.body} ` },
        }),
      ),
    ).toMatch(
      new RegExp(
        `^${creation}: The suite sends something else here: the body is .* ", where the suite sends .*"\\.$`,
      ),
    );
    expect(await explain(log.with(creation, { ...exchange, probe: 'other' }))).toBe(
      `${creation}: The suite sends something else here: the probe is "other", where the suite sends "${exchange.probe}".`,
    );
  });
});

describe('the order', () => {
  test('nothing can be left out, except while exceeding the limit, where the count then differs', async () => {
    const results = new Map<Result, Set<string>>();
    for (const { probe, index } of sample) {
      const result = await examine(log.toSpliced(index, 1));
      results.set(result, (results.get(result) ?? new Set()).add(probe));
    }
    expect(results.has('nothing')).toBe(false);
    expect(results.get('other report')).toEqual(new Set(['*/exhaust']));
  });

  test('nothing can be added or repeated', async () => {
    for (const exchange of sample) {
      const { index } = exchange;
      const result = await examine(log.toSpliced(index, 0, exchange));
      expect([index, result]).toEqual([index, 'departure']);
    }
    expect(await explain([...log, ...log.slice(-1)])).toBe(
      `${log.length}: The suite is done after ${log.length} requests, but the log has 1 more.`,
    );
  });

  test('a log cannot be truncated', async () => {
    expect(await explain(log.slice(0, 20))).toMatch(
      /^20: The log ends too early: the suite continues with POST \/pets for "createPet\/.*"\.$/,
    );
    expect(await explain([])).toMatch(/^0: The log ends too early/);
  });

  test('no two can be swapped', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat({ max: log.length - 1 }),
        fc.nat({ max: log.length - 1 }),
        async (one, other) => {
          const [a, b] = [log[one], log[other]];
          if (a === undefined || b === undefined || one === other) return;
          expect(await examine(log.with(one, b).with(other, a))).toBe('departure');
        },
      ),
      { seed: 5, numRuns: 60 },
    );
  });

  test('a moved exchange is reported as moved', async () => {
    const [a, b] = [log[creation], log[creation + 1]];
    if (a === undefined || b === undefined) throw new Error('no additions');
    expect(await explain(log.with(creation, b).with(creation + 1, a))).toBe(
      `${creation}: Here the suite sends what the log has as exchange ${creation + 1}: an entry was added or moved.`,
    );
  });
});

describe('responses', () => {
  test.each<[string, (exchange: Exchange) => Exchange | undefined]>([
    [
      'a failure in the place of any',
      (each) => ({
        ...each,
        outcome: { kind: 'no-response', error: { reason: 'cut', message: 'x' } },
      }),
    ],
    ['500 in the place of any status', (each) => withResponse(each, () => ({ status: 500 }))],
    ['no headers', (each) => withResponse(each, () => ({ headers: [] }))],
    [
      'no Limit',
      (each) =>
        withResponse(each, ({ headers }) => ({
          headers: headers.filter(([name]) => name.toLowerCase() !== 'x-ratelimit-limit'),
        })),
    ],
    [
      'a Remaining beyond the limit',
      (each) =>
        withResponse(each, ({ headers }) => ({
          headers: headers.map(([name, value]) => [
            name,
            name.toLowerCase() === 'x-ratelimit-remaining' ? '99999999' : value,
          ]),
        })),
    ],
    [
      'another media type',
      (each) =>
        withResponse(each, ({ status, headers }) =>
          status === 429
            ? undefined
            : {
                headers: headers.map(([name, value]) => [
                  name,
                  name.toLowerCase() === 'content-type' ? 'text/html' : value,
                ]),
              },
        ),
    ],
    [
      'no body',
      (each) => withResponse(each, ({ status }) => (status === 429 ? undefined : { body: '' })),
    ],
    [
      'a body that is no JSON',
      (each) =>
        withResponse(each, ({ status, body }) =>
          status === 429 ? undefined : { body: `${body}}` },
        ),
    ],
    [
      'another status in an error',
      (each) =>
        withResponse(each, ({ status, body }) =>
          status < 400 || status === 429
            ? undefined
            : { body: body.replace(`"status":${status}`, '"status":418') },
        ),
    ],
    [
      'an item with another name than was sent',
      (each) =>
        withResponse(each, ({ body, status }) =>
          status === 201 && each.intent.kind === 'valid'
            ? { body: body.replace('"name":"', '"name":"x') }
            : undefined,
        ),
    ],
    [
      'another identifier of an added item',
      (each) =>
        withResponse(each, ({ body, status }) =>
          status === 201 &&
          each.intent.kind === 'valid' &&
          each.group === undefined &&
          !each.probe.startsWith('shrink')
            ? { body: body.replace(/"id":\d+/, '"id":1') }
            : undefined,
        ),
    ],
  ])('%s: always detected', async (_name, change) => {
    const results = await examineEach(change);
    expect(results.get('nothing') ?? []).toEqual([]);
    expect(results.size).toBeGreaterThan(0);
  });

  test('hiding a failure is detected, because the suite would continue or report differently', async () => {
    const results = await examineEach((each) =>
      withResponse(each, ({ status }) =>
        status === 201 && each.request.body !== undefined
          ? {
              body: JSON.stringify({
                id: 7_000_000 + each.index,
                ...JSON.parse(each.request.body),
              }),
            }
          : undefined,
      ),
    );
    expect(results.get('nothing') ?? []).toEqual([]);
  });

  test.each<[string, (exchange: Exchange) => Exchange | undefined]>([
    [
      'a header of which nothing is documented',
      (each) => withResponse(each, ({ headers }) => ({ headers: [...headers, ['X-Other', '1']] })),
    ],
    [
      'the message of a refusal',
      (each) =>
        withResponse(each, ({ status, body }) =>
          status === 400 && each.intent.kind === 'invalid'
            ? { body: body.replace(/"message":"(?:[^"\\]|\\.)*"/, '"message":"other"') }
            : undefined,
        ),
    ],
  ])('%s: only the signature protects it', async (_name, change) => {
    expect([...(await examineEach(change)).keys()]).toEqual(['nothing']);
  });

  test('a slightly longer response time: only the signature protects it, unless the report has the wait', async () => {
    const results = await examineEach((each) => ({ ...each, sentAt: each.sentAt + 1 }));
    const waited = honest.run.times?.waits.map(({ before }) => before) ?? [];
    expect(results.get('departure')).toBeUndefined();
    expect(results.get('nothing')).not.toEqual([]);
    expect(waited).toEqual(expect.arrayContaining([...(results.get('other report') ?? [])]));
  });
});

describe('times', () => {
  test.each<[string, (exchange: Exchange) => Exchange | undefined]>([
    ['a response before its request', (each) => ({ ...each, endedAt: each.sentAt - 1 })],
    ['a response a minute later', (each) => ({ ...each, endedAt: each.endedAt + 60_000 })],
    ['a response a minute earlier', (each) => ({ ...each, endedAt: each.endedAt - 60_000 })],
    ['a request a minute earlier', (each) => ({ ...each, sentAt: each.sentAt - 60_000 })],
  ])('%s', async (_name, change) => {
    const results = await examineEach(change);
    expect([...results.keys()]).toEqual(['departure']);
  });

  test('a wait cannot be shortened', async () => {
    const at = indexOf(
      ({ index }) =>
        index > refusal && (log[index]?.sentAt ?? 0) - (log[index - 1]?.endedAt ?? 0) > 5000,
    );
    expect(at).toBeGreaterThan(refusal);
    const moved = log.map((each) =>
      each.index < at
        ? each
        : { ...each, sentAt: each.sentAt - 4000, endedAt: each.endedAt - 4000 },
    );
    expect((await explain(moved)).split('\n')[0]).toMatch(
      new RegExp(
        `^${at}: It was sent \\d+ ms before the end of the wait that earlier responses require\\.$`,
      ),
    );
  });

  test('start and end agree with the tag and the log', async () => {
    const { startedAt, endedAt } = honest.record;
    expect(await examine(log, { ...honest.record, startedAt: startedAt - 86_400_000 })).toBe(
      'departure',
    );
    expect(await examine(log, { ...honest.record, startedAt: startedAt + 100 })).toBe('departure');
    expect(await examine(log, { ...honest.record, endedAt: (log.at(-1)?.endedAt ?? 0) - 1 })).toBe(
      'departure',
    );
    expect(await examine(log, { ...honest.record, endedAt: endedAt + 1 })).toBe('other report');
    expect(await explain([], { ...honest.record, endedAt: startedAt - 1 })).toContain(
      'The log ends',
    );
  });
});

describe('the record', () => {
  test.each<[Partial<RunRecord>, Result]>([
    [{ seed: 2 }, 'departure'],
    [{ requests: 40 }, 'departure'],
    [{ requests: 240 }, 'departure'],
    [{ readOnly: true }, 'departure'],
    [{ exhaust: false }, 'departure'],
    [{ fuzz: 10 }, 'departure'],
    [{ fuzz: 1_000_000 }, 'departure'],
    [{ shrink: 0 }, 'departure'],
    [{ only: ['auth'] }, 'departure'],
    [{ skip: ['listPets'] }, 'departure'],
    [{ only: ['no-such-thing'] }, 'departure'],
    [{ nearMisses: ['longer'] }, 'departure'],
    [{ nearMisses: undefined }, 'departure'],
    [{ references: { categoryId: 77 } }, 'departure'],
    [{ longestWait: 10 }, 'departure'],
    [
      {
        saved: [
          {
            requirement: 'x',
            tag: 'Pcabcd',
            steps: [{ operation: 'no-such', intent: { kind: 'beyond' } }],
          },
        ],
      },
      'departure',
    ],
    [
      { waivers: [{ requirement: 'no-such', reason: 'a', owner: 'b', expires: '2030-01-01' }] },
      'departure',
    ],
    // Every request says by which waivers the run was started.
    [{ waivers: [] }, 'departure'],
    [
      { waivers: honest.record.waivers.map((waiver) => ({ ...waiver, expires: '2026-01-04' })) },
      'departure',
    ],
    [
      { waivers: honest.record.waivers.map((waiver) => ({ ...waiver, owner: 'eve' })) },
      'departure',
    ],
    [{ plan: 'Pro' }, 'other report'],
    [{ baseUrl: 'http://elsewhere.example/v1' }, 'other report'],
    // These leave no trace in what is sent, as long as no response is late.
    [{ timeout: 1 }, 'nothing'],
    [{ verifyTls: false }, 'nothing'],
    [{ longestWait: honest.record.longestWait + 1 }, 'nothing'],
  ])('%j: %s', async (changes, result) => {
    expect(await examine(log, { ...honest.record, ...changes })).toBe(result);
  });
});

test('a body is not larger than the recorded limit', async () => {
  const sizes = log.map(({ outcome }) =>
    outcome.kind === 'answered' ? Buffer.byteLength(outcome.response.body) : 0,
  );
  const most = Math.max(...sizes);
  const within = (maxResponseBytes: number): RunRecord => ({ ...honest.record, maxResponseBytes });
  expect(await examine(log, within(most))).toBe('nothing');
  expect(await explain(log, within(most - 1))).toMatch(
    /Its body has more than the [\d,]+ bytes that the run says it reads at most\.$/,
  );
  const at = log.findIndex(({ outcome }) => outcome.kind === 'answered');
  const answered = log[at];
  // A mark for a key, or for bytes that are not UTF-8, may be longer than the original.
  const explainBody = (body: string, utf8: boolean, bytes: number): Promise<string> => {
    const changed = answered && withResponse(answered, () => ({ body, utf8 }));
    return explain(changed === undefined ? [] : [...log.slice(0, at), changed], within(bytes));
  };
  const large = /Its body has more than/;
  expect(await explainBody('[redacted]', true, 1)).not.toMatch(large);
  expect(await explainBody('\u{fffd}\u{fffd}', false, 2)).not.toMatch(large);
  expect(await explainBody('\u{fffd}\u{fffd}', false, 1)).toMatch(large);
  expect(await explainBody('\u{fffd}', true, 2)).toMatch(large);
});

test('responses that would end any run are not a valid log', async () => {
  const [first] = log;
  const refused = first && withResponse(first, () => ({ status: 401 }));
  if (refused === undefined) throw new Error('no response');
  expect(await explain(log.with(0, refused))).toMatch(
    /^1: Such a run would not have been judged: The first request was rejected \(401\)/,
  );
});

test('an earlier start that leaves the tags of the run unchanged is detected', async () => {
  const earlier = {
    ...honest.record,
    startedAt: honest.record.startedAt - 26 ** 4 * 100,
    timeLimit: 10 ** 12,
  };
  expect((await rerun(contract, earlier, log)).report?.run.tag).toBe(honest.run.tag);
  expect(await explain(log, earlier)).toBe(
    '0: The run starts long before its first request without a reason to wait.',
  );
});

test('a random change to what was sent, or when, is always detected', async () => {
  const letters = fc.string({ minLength: 1, maxLength: 3 });
  const edit = fc.record({
    index: fc.nat({ max: log.length - 1 }),
    part: fc.constantFrom('probe', 'target', 'body', 'group', 'method', 'header', 'time'),
    at: fc.nat(),
    text: letters,
    ms: fc.integer({ min: 2, max: 86_400_000 }),
  });
  const insert = (text: string, at: number, part: string): string =>
    text.slice(0, at % (text.length + 1)) + part + text.slice(at % (text.length + 1));
  await fc.assert(
    fc.asyncProperty(edit, async ({ index, part, at, text, ms }) => {
      const each = log[index];
      if (each === undefined) return;
      const { request } = each;
      const changed: Readonly<Record<string, Exchange>> = {
        probe: { ...each, probe: insert(each.probe, at, text) },
        target: { ...each, request: { ...request, target: insert(request.target, at, text) } },
        body: { ...each, request: { ...request, body: insert(request.body ?? '', at, text) } },
        group: { ...each, group: insert(each.group ?? '', at, text) },
        method: { ...each, request: { ...request, method: insert(request.method, at, text) } },
        header: {
          ...each,
          request: {
            ...request,
            headers: request.headers.map(([name, value]) => [name, insert(value, at, text)]),
          },
        },
        time: {
          ...each,
          endedAt: each.endedAt + (at % 2 === 0 ? ms + 8 : -ms - 8),
          sentAt: each.sentAt + (at % 2 === 0 ? ms + 8 : -ms - 8),
        },
      };
      expect(await examine(log.with(index, changed[part] ?? each))).toBe('departure');
    }),
    { seed: 17, numRuns: 100 },
  );
});
