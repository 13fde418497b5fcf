import { expect, test } from 'vitest';
import { petstore as contract } from '../../test/contract/petstore.ts';
import { createInProcessSender } from '../../selftest/in-process.ts';
import { createService } from '../../selftest/index.ts';
import { createTrialClock } from '../../selftest/trial.ts';
import { runConformance, type RunOptions, type RunReport } from '../index.ts';
import { rerunDifferences } from '../../test/conformance/log-run.ts';
import type { Outcome } from './exchange.ts';
import type { WireRequest } from './sender.ts';

const cut: Outcome = { kind: 'no-response', error: { reason: 'cut', message: 'closed' } };
const refused: Outcome = {
  kind: 'no-response',
  error: { reason: 'unreachable', message: 'connect ECONNREFUSED' },
};
const hung: Outcome = { kind: 'no-response', error: { reason: 'timeout', message: 'no response' } };

interface Fall {
  readonly by: (request: WireRequest) => boolean;
  /** What the request itself gets; undefined if it is answered first. */
  readonly own: Outcome | undefined;
  /** What those after it get, and for how long: milliseconds. */
  readonly after: Outcome;
  readonly for: number;
}

/** Judges the independent service, which is away for some time after a request. */
async function judgeFalling(fall: Fall, options: RunOptions = {}): Promise<RunReport> {
  const clock = createTrialClock();
  const inProcess = createInProcessSender(createService({}, clock), { timeout: 500, ...clock });
  let until = 0;
  const sender = {
    ...inProcess,
    send: async (request: WireRequest): Promise<Outcome> => {
      if (clock.now() < until) return fall.after;
      if (!fall.by(request)) return await inProcess.send(request);
      until = clock.now() + fall.for;
      return fall.own ?? (await inProcess.send(request));
    },
  };
  const target = { baseUrl: 'http://service.test/v1', apiKey: 'service-business' };
  return await runConformance(contract, target, { clock, sender, requests: 60, ...options });
}

const isNullName = ({ body }: WireRequest): boolean => body?.includes('"name":null') ?? false;
const forGood = Infinity;

function failedIds({ verdicts }: RunReport): readonly string[] {
  return verdicts.flatMap(({ kind, requirement }) => (kind === 'failed' ? [requirement.id] : []));
}

test('a request that crashes the target is named, and the report keeps what was known before', async () => {
  const report = await judgeFalling({ by: isNullName, own: cut, after: refused, for: forGood });
  expect(report.outcome).toBe('failed');
  expect(failedIds(report)).toEqual(['createPet/robustness.answered']);
  expect(report.run.endedEarly).toMatch(
    /^the target became unreachable after \d+ requests and did not recover within 31 seconds$/,
  );
  expect(report.counts.passed).toBeGreaterThan(40);
  const verdict = report.verdicts.find(({ kind }) => kind === 'failed');
  const [failure] = verdict?.kind === 'failed' ? verdict.failures : [];
  expect(report.exchanges[failure?.exchange ?? -1]?.request.body).toMatch(/^\{"name":null/);
  expect(failure?.replay).toMatch(/^r1-/);
  expect(await rerunDifferences(contract, report)).toEqual([]);
});

test('the run continues once the target is back, and looks for a smaller crashing request', async () => {
  const isLong = ({ body = '' }: WireRequest): boolean => body.length > 400;
  const report = await judgeFalling({ by: isLong, own: cut, after: refused, for: 5000 });
  expect(report.run.endedEarly).toBeUndefined();
  expect(failedIds(report)).toEqual(['createPet/robustness.answered']);
  const verdict = report.verdicts.find(({ kind }) => kind === 'failed');
  const [failure] = verdict?.kind === 'failed' ? verdict.failures : [];
  expect(failure?.shrunkFrom).toBeDefined();
  expect(report.exchanges.at(-1)?.outcome.kind).toBe('answered');
  expect(await rerunDifferences(contract, report)).toEqual([]);
});

test('a target that crashes after a response is reported with its last response', async () => {
  const report = await judgeFalling({ by: isNullName, own: undefined, after: refused, for: 3000 });
  const verdict = report.verdicts.find(
    ({ requirement }) => requirement.id === 'createPet/robustness.answered',
  );
  expect(verdict).toMatchObject({ kind: 'failed' });
  const [failure] = verdict?.kind === 'failed' ? verdict.failures : [];
  expect(failure?.received).toMatch(/^400 .*, and no connection for the next request$/);
  expect(failure?.others).toEqual([(failure?.exchange ?? 0) + 1]);
});

test('a target that hangs forever ends the run after some requests, with a report', async () => {
  const report = await judgeFalling({ by: isNullName, own: hung, after: hung, for: forGood });
  expect(report.outcome).toBe('failed');
  expect(report.run.endedEarly).toMatch(/^the target became unreachable after/);
  expect(report.exchanges.length).toBeLessThan(60);
  expect(await rerunDifferences(contract, report)).toEqual([]);
});

test('a target that hangs on only some requests is tested on the rest', async () => {
  const report = await judgeFalling({
    by: ({ body = '' }) => /null|1\.5|true/.test(body),
    own: hung,
    after: hung,
    for: 0,
  });
  expect(report.run.endedEarly).toBeUndefined();
  expect(failedIds(report)).toEqual(['createPet/robustness.answered']);
});

test('a target that never responded is not judged', async () => {
  await expect(
    judgeFalling({ by: () => true, own: refused, after: refused, for: forGood }),
  ).rejects.toMatchObject({ code: 'inconclusive' });
});
