import { renderReportFiles } from '../../test/report/report-files.ts';
import { expect, test } from 'vitest';
import { hasCode } from '../../contract/error/petstore-error.ts';
import { petstore as contract } from '../../test/contract/petstore.ts';
import { createMock } from '../../mock/index.ts';
import { createMockSender } from '../../selftest/generated/server.ts';
import {
  type RunOptions,
  type RunReport,
  runConformance,
  type Sender,
  type WireRequest,
} from '../index.ts';
import type { Clock } from '../transport/carrier.ts';
import type { Outcome, TransportError } from '../transport/exchange.ts';
import { answered, createFakeSender } from '../../test/conformance/fake-sender.ts';
import { rerunDifferences } from '../../test/conformance/log-run.ts';
import { createStillClock } from '../../test/conformance/still-clock.ts';
import { requiredShare } from './inconclusive.ts';

/** What a target does instead of what it should. */
type Hindrance =
  | { readonly kind: 'status'; readonly status: number; readonly retryAfter?: number }
  | { readonly kind: 'lost'; readonly reason: TransportError['reason'] };

/** When it applies: from one request on, for a number of requests, to those with a method. */
interface HinderedPart {
  readonly hindrance: Hindrance;
  /** From 0. */
  readonly from: number;
  readonly count: number;
  /** Undefined: whatever the method is. */
  readonly method?: string | undefined;
}

/**
 * A sender whose target hinders the run in some parts of it, with headers of the rate limit as they
 * should be: a refusal for it breaks no requirement.
 */
function hinder(sender: Sender, parts: readonly HinderedPart[], { now }: Clock): Sender {
  let sent = -1;
  return {
    send: async (request) => {
      sent += 1;
      const part = parts.find((each) => isIn(each, request, sent));
      return part === undefined ? await sender.send(request) : instead(part.hindrance, now());
    },
    [Symbol.asyncDispose]: () => sender[Symbol.asyncDispose](),
  };
}

function isIn({ from, count, method }: HinderedPart, request: WireRequest, sent: number): boolean {
  return sent >= from && sent < from + count && (method ?? request.method) === request.method;
}

function instead(hindrance: Hindrance, now: number): Outcome {
  if (hindrance.kind === 'lost')
    return { kind: 'no-response', error: { reason: hindrance.reason, message: 'nothing came' } };
  const { status, retryAfter } = hindrance;
  return answered(
    status,
    { code: 'hindered', message: 'Not now.', status },
    {
      'X-RateLimit-Limit': '60',
      'X-RateLimit-Remaining': '0',
      'X-RateLimit-Reset': `${Math.ceil(now / 1000) + (retryAfter ?? 1)}`,
      ...(retryAfter === undefined ? {} : { 'Retry-After': `${retryAfter}` }),
    },
  );
}

/** Parts drawn on a seed: one to three, of every kind, anywhere in a run of this many requests. */
function drawHindrance(seed: number, requests: number): readonly HinderedPart[] {
  let state = Math.imul(seed + 1, 0x9e3779b1) >>> 0;
  const draw = (most: number): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * most);
  };
  const pick = <T>(first: T, ...others: readonly T[]): T =>
    [first, ...others][draw(others.length + 1)] ?? first;
  return Array.from({ length: 1 + draw(3) }, () => ({
    hindrance: pick<Hindrance>(
      { kind: 'status', status: 429, retryAfter: pick(0, 1, 2, 30, 89, 91, 86_400) },
      { kind: 'status', status: 429, retryAfter: pick(1, 2, 30, 89, 91, 86_400) },
      { kind: 'status', status: 429, retryAfter: 1 },
      { kind: 'status', status: pick(401, 403, 404, 405, 410, 501) },
      { kind: 'status', status: pick(500, 502, 503, 504), retryAfter: pick(0, 5, 600) },
      { kind: 'status', status: pick(200, 204, 301, 304, 400, 409, 422) },
      { kind: 'lost', reason: pick('unreachable', 'cut', 'timeout', 'not-http', 'tls', 'name') },
    ),
    from: pick(0, 1, 2, draw(requests), draw(requests)),
    count: pick(1, 3, draw(requests), Infinity),
    method: pick(undefined, undefined, 'GET', 'POST'),
  }));
}

async function judge(parts: readonly HinderedPart[], options: RunOptions = {}): Promise<RunReport> {
  const clock = createStillClock();
  const mock = createMock(contract, { clock });
  return await runConformance(
    contract,
    { baseUrl: 'http://mock.test/v1', apiKey: mock.keys[0]?.key },
    {
      clock,
      sender: hinder(createMockSender(mock), parts, clock),
      disposable: true,
      plan: 'Free',
      ...options,
    },
  );
}

const quotaSpent: Hindrance = { kind: 'status', status: 429, retryAfter: 91 };

function spentAfter(from: number): readonly HinderedPart[] {
  return [{ hindrance: quotaSpent, from, count: Infinity }];
}

test('a quota exhausted by the first request makes the run inconclusive, with the reason', async () => {
  const report = await judge(spentAfter(0));
  expect(report).toMatchObject({
    outcome: 'inconclusive',
    inconclusive:
      'rate limit: the target asks for a wait of 91 seconds; 0 of 60 planned requests were tested, 0 %, and 90 % have to be',
  });
  expect(await rerunDifferences(contract, report)).toEqual([]);
});

test('a run below the required share is inconclusive, one at it is not, and a flag raises it', async () => {
  const most = Math.floor((60 * (100 - requiredShare)) / 100);
  const [at, below] = [await judge(spentAfter(60 - most)), await judge(spentAfter(58 - most))];
  expect(at).toMatchObject({ outcome: 'conforms', run: { planned: 60, tested: 60 - most } });
  expect(below.outcome).toBe('inconclusive');
  const raised = await judge(spentAfter(60 - most), { requireTested: 95 });
  expect(raised).toMatchObject({ outcome: 'inconclusive', run: { required: 95 } });
  expect(await rerunDifferences(contract, raised)).toEqual([]);
});

test.each<[string, RunOptions]>([
  ['no writing', { readOnly: true }],
  ['one operation', { only: ['listPets'] }],
  ['all but one operation', { skip: ['createPet'] }],
  ['the drive to the limit', { exhaust: true, longestWait: 2 * 86_400_000 }],
  ['fuzzing', { fuzz: 60 }],
])('a valid target conforms with few requests: %s', async (_name, options) => {
  const report = await judge([], { ...options, requireTested: 100 });
  expect(report).toMatchObject({ outcome: 'conforms' });
  expect(report).not.toHaveProperty('inconclusive');
});

test.each([1, 5, 10, 25, 40])(
  'fewer requests than usual do not lower the required share: %d',
  async (requests) => {
    const report = await judge([], { requests });
    expect(report).toMatchObject({
      outcome: 'inconclusive',
      inconclusive: expect.stringMatching(
        /^\d+ of \d+ requests that a run has by default were tested, \d+ %, and 90 % have to be; --requests leaves \d+ of them out$/,
      ),
    });
    const { planned, omitted = 0 } = report.run;
    const usual = await judge([]);
    // Probes may need less than they take as a rule.
    expect(planned + omitted).toBeGreaterThan(usual.run.planned * 0.95);
    expect(report.exchanges.length).toBeLessThanOrEqual(requests);
    expect(await rerunDifferences(contract, report)).toEqual([]);
  },
);

test.each([58, 60, 240])('%d requests are enough where the plan has 60', async (requests) => {
  expect(await judge([], { requests })).toMatchObject({ outcome: 'conforms' });
});

test('a response that cannot be judged is reported as such, not as missing', async () => {
  const message = 'its JSON has 300,001 values; at most 120,000 are read';
  const large = { kind: 'no-response', error: { reason: 'too-large', message } } as const;
  const { outcome, inconclusive } = await runConformance(
    contract,
    { baseUrl: 'http://large.test/v1', apiKey: 'key' },
    { clock: createStillClock(), sender: createFakeSender(() => large) },
  );
  expect(outcome).toBe('inconclusive');
  expect(inconclusive).toMatch(
    new RegExp(`^the response to GET /pets\\S* cannot be judged: ${message}; \\d+ of \\d+ planned`),
  );
});

test('nothing conforms if nothing is left to judge', async () => {
  const report = await judge([], { only: ['listPets'], skip: ['listPets'] });
  expect(report).toMatchObject({
    outcome: 'inconclusive',
    inconclusive: 'no requirement was tested: left out by --only or --skip',
  });
});

const ways: readonly RunOptions[] = [
  {},
  { requests: 120 },
  { readOnly: true },
  { only: ['listPets'] },
  { exhaust: true },
  { fuzz: 40 },
];

test.each(ways)(
  'no target that hinders the run conforms unless the required share was tested: %j',
  async (options) => {
    const { verdicts } = await judge([], options);
    const usual = verdicts.filter(({ kind }) => kind !== 'not-tested').length;
    const outcomes = new Set<string>();
    for (let seed = 0; seed < 40; seed += 1) {
      const parts = drawHindrance(seed, options.requests ?? 60);
      const report = await judge(parts, options).catch((error: unknown) => {
        if (hasCode(error, 'inconclusive')) return undefined;
        throw error;
      });
      outcomes.add(report?.outcome ?? 'inconclusive');
      if (report?.outcome !== 'conforms') continue;
      const { planned, tested = 0 } = report.run;
      expect(tested * 100, `seed ${seed}`).toBeGreaterThanOrEqual(planned * 90);
      const seen = report.verdicts.filter(({ kind }) => kind !== 'not-tested').length;
      expect(seen, `seed ${seed}`).toBeGreaterThan(usual * 0.8);
    }
    expect(outcomes).toEqual(new Set(['conforms', 'failed', 'inconclusive']));
  },
  120_000,
);

test('an inconclusive run reports what is known: unreachable, or an internal error', async () => {
  const messages: RunReport[] = [];
  const target = { baseUrl: 'http://mock.test/v1', apiKey: 'key' };
  const options = { clock: createStillClock(), plan: 'Free' };
  const gone = createFakeSender(() => ({
    kind: 'no-response',
    error: { reason: 'unreachable', message: 'no' },
  }));
  await expect(
    runConformance(contract, target, { ...options, sender: gone }, (each) => messages.push(each)),
  ).rejects.toThrow('No server responds at mock.test');
  expect(messages).toMatchObject([
    { outcome: 'inconclusive', inconclusive: expect.stringContaining('No server responds') },
  ]);
  const faulty = createFakeSender(() => {
    throw new RangeError('Invalid string length');
  });
  const report = await runConformance(contract, target, { ...options, sender: faulty });
  expect(report).toMatchObject({
    outcome: 'inconclusive',
    inconclusive:
      'the run could not be judged because of a bug in the suite: RangeError: Invalid string length',
  });
  expect(renderReportFiles(report, contract).map(({ name }) => name)).toContain('report.json');
});
