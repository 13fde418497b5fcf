import { describe, expect, test } from 'vitest';
import type { Contract } from '../../contract/contract.ts';
import { petstore } from '../../test/contract/petstore.ts';
import { openMock, openService } from '../../test/cli/target.ts';
import type { ServiceBehaviour } from '../../selftest/service/service.ts';
import { mutants } from '../../selftest/index.ts';
import { describeReason } from '../judge/reason/reason.ts';
import type { RunOptions } from '../run/settings.ts';
import type { Report } from '../run/report.ts';
import { nameShards } from '../shard/shard.ts';
import { mergeReports } from './merge.ts';
import type { NamedReport } from './merge.ts';

/** The reports of shards, each against a server of its own. */
async function runShards(
  open: (index: number) => ReturnType<typeof openService>,
  count: number,
  options: RunOptions = {},
  own: (index: number) => RunOptions = () => ({}),
): Promise<readonly NamedReport[]> {
  const reports: NamedReport[] = [];
  for (let index = 1; index <= count; index += 1) {
    await using place = await open(index);
    const shard = { index, count, suite: 'suite 1' };
    const report = await place.run({ fuzz: 144, ...options, ...own(index), shard });
    reports.push({ name: `shard-${index}`, report: here(report) });
  }
  return reports;
}

/** The base URL of a server of a test is another each time. */
function here(report: Report): Report {
  return { ...report, target: { ...report.target, baseUrl: 'http://127.0.0.1:4010/v1' } };
}

/** As if all shards had the same settings. */
function withoutSettings(report: Report): Report {
  const shard = report.run.shard && { ...report.run.shard, settings: '' };
  return { ...report, run: { ...report.run, shard } };
}

const faulty =
  (at: number, behaviour: Partial<ServiceBehaviour>, contract: Contract = petstore) =>
  (index: number) =>
    openService(contract, index === at ? behaviour : {});

const valid = await runShards(() => openMock(petstore), 3);
const mutant = mutants.find(({ id }) => id === 'get-absent-400');
const broken = await runShards(faulty(2, mutant?.behaviour() ?? {}), 3);

const verdictOf = (report: Report, id: string) =>
  report.verdicts.find(({ requirement }) => requirement.id === id);

describe('what is merged', () => {
  test('conforms if every shard does', () => {
    const merged = mergeReports(petstore, valid);
    expect(merged.outcome).toBe('conforms');
    expect(merged.merge).toMatchObject({
      count: 3,
      missing: [],
      fuzz: { wanted: 144, missing: 0 },
    });
    expect(merged.exchanges.map(({ index }) => index)).toEqual(
      merged.exchanges.map((_, index) => index),
    );
    expect(merged.exchanges).toHaveLength(
      valid.reduce((sum, { report }) => sum + report.exchanges.length, 0),
    );
    expect(merged.counts.passed).toBeGreaterThanOrEqual(
      Math.max(...valid.map(({ report }) => report.counts.passed)),
    );
  });

  test('is the same in whatever order the shards are given', () => {
    expect(mergeReports(petstore, valid.toReversed())).toEqual(mergeReports(petstore, valid));
  });

  test('fails what any shard fails, with the exchange of that shard', () => {
    const merged = mergeReports(petstore, broken);
    expect(merged.outcome).toBe('failed');
    const verdict = verdictOf(merged, 'getPet/status.404');
    const [failure] = verdict?.kind === 'failed' ? verdict.failures : [];
    const [, second] = merged.merge?.shards ?? [];
    expect(failure?.exchange).toBeGreaterThanOrEqual(second?.from ?? 0);
    expect(failure?.exchange).toBeLessThan((second?.from ?? 0) + (second?.requests ?? 0));
    const facts = merged.merge?.verdicts.find(({ id }) => id === 'getPet/status.404');
    expect(facts).toEqual({ id: 'getPet/status.404', passed: [1, 3], failed: [2] });
  });

  test('reports a missing shard and its part', () => {
    const some = valid.toSpliced(1, 1);
    const merged = mergeReports(petstore, some);
    expect(merged.outcome).toBe('inconclusive');
    expect(merged.merge?.missing).toEqual([2]);
    expect(merged.merge?.fuzz.missing).toBe(valid[1]?.report.run.shard?.share);
    expect(mergeReports(petstore, some, { allowMissing: true }).outcome).toBe('conforms');
  });

  test('keeps a reason that all shards share', () => {
    const all = mergeReports(petstore, valid).verdicts.filter(
      (verdict) => verdict.kind === 'not-tested' && verdict.because?.kind === 'not-exhausted',
    );
    const [own] = valid;
    const wanted = own?.report.verdicts.filter(
      (verdict) => verdict.kind === 'not-tested' && verdict.because?.kind === 'not-exhausted',
    );
    expect(all.length).toBeGreaterThan(0);
    expect(all).toEqual(wanted);
  });

  test('has the reason of each shard if the reasons differ', async () => {
    const requests = [40, 44, 44];
    const short = await runShards(
      () => openMock(petstore),
      3,
      {},
      (index) => ({
        requests: requests[index - 1] ?? 44,
      }),
    );
    const merged = mergeReports(
      petstore,
      short.map(({ name, report }) => ({ name, report: withoutSettings(report) })),
    );
    const reasons = merged.verdicts.flatMap((verdict) =>
      verdict.kind === 'not-tested' && verdict.because?.kind === 'by-shard'
        ? [{ id: verdict.requirement.id, text: verdict.reason, because: verdict.because }]
        : [],
    );
    expect(reasons).not.toEqual([]);
    for (const { id, text, because } of reasons) {
      expect(text).toBe(describeReason(because));
      // The exchange of a doubt has another number in the merged report.
      const others = because.reasons.filter((each) => each.because.kind !== 'unclear');
      for (const { shards, because: reported } of others)
        for (const shard of shards) {
          const own = short[shard - 1];
          expect(own && verdictOf(own.report, id)).toMatchObject({ because: reported });
        }
    }
    expect(reasons[0]?.text).toMatch(/^shard 1: budget: \d+ of 40 .*; shards 2 and 3: budget: /);
  });

  test('fails although a shard is missing, if another one fails', () => {
    expect(mergeReports(petstore, broken.slice(1)).outcome).toBe('failed');
  });

  test('is not tested if one shard contradicts it, although others pass it', () => {
    const id = 'createPet/status.201';
    const merged = mergeReports(petstore, broken);
    const doubted = merged.verdicts.filter(
      ({ kind, requirement }) =>
        kind === 'not-tested' &&
        valid.some(({ report }) => verdictOf(report, requirement.id)?.kind === 'passed'),
    );
    for (const { requirement } of doubted) {
      const own = broken.map(({ report }) => verdictOf(report, requirement.id)?.kind);
      expect(own).toContain('not-tested');
    }
    expect(verdictOf(merged, id)?.kind).toBe('passed');
  });

  test('is inconclusive if a response of one shard was too large to judge', async () => {
    const shards = await runShards(
      faulty(2, {
        finish: (response, { ordinal }) =>
          ordinal === 40 ? { ...response, bytes: Buffer.alloc(9 * 1024 * 1024, ' ') } : response,
      }),
      2,
    );
    expect(shards.map(({ report }) => report.outcome)).toEqual(['conforms', 'inconclusive']);
    for (const given of [shards, shards.toReversed()])
      expect(mergeReports(petstore, given)).toMatchObject({
        outcome: 'inconclusive',
        inconclusive: expect.stringMatching(
          /^a response from \w+ was not judged, because its body/,
        ),
        unserved: [expect.objectContaining({ sentence: expect.stringContaining('not judged') })],
      });
  });

  test('counts a waiver that one shard needs as used', async () => {
    const waiver = {
      requirement: 'getPet/status.404',
      reason: 'x',
      owner: 'y',
      expires: '2026-12-31',
    };
    const reports = await runShards(faulty(2, mutant?.behaviour() ?? {}), 2, { waivers: [waiver] });
    expect(reports.map(({ report }) => report.waivers[0]?.state)).toEqual(['unreached', 'used']);
    const merged = mergeReports(petstore, reports);
    expect(merged.waivers).toEqual([{ waiver, state: 'used' }]);
    expect(verdictOf(merged, waiver.requirement)?.kind).toBe('waived');
  });

  test('counts a waiver that no shard needs as unused', async () => {
    const waiver = {
      requirement: 'getPet/status.404',
      reason: 'x',
      owner: 'y',
      expires: '2026-12-31',
    };
    const reports = await runShards(() => openService(petstore), 2, { waivers: [waiver] });
    const merged = mergeReports(petstore, reports);
    expect(merged.waivers).toEqual([{ waiver, state: 'needless' }]);
    expect(merged.outcome).toBe('failed');
  });
});

test.each(mutants.filter((_, index) => index % 25 === 0))(
  'the report of a shard agrees with its log: $breaks',
  async ({ behaviour }) => {
    const reports = await runShards(
      (index) => openService(petstore, index === 1 ? behaviour() : {}),
      2,
    );
    const merged = mergeReports(petstore, reports);
    const failed = reports[0]?.report.verdicts.filter(({ kind }) => kind === 'failed') ?? [];
    for (const { requirement } of failed)
      expect(verdictOf(merged, requirement.id)?.kind).toBe('failed');
  },
);

const change = (index: number, edit: (report: Report) => Report): readonly NamedReport[] =>
  broken.map((each, at) => (at === index ? { ...each, report: edit(each.report) } : each));

const editShard =
  (edit: object) =>
  (report: Report): Report => ({
    ...report,
    run: { ...report.run, ...(report.run.shard && { shard: { ...report.run.shard, ...edit } }) },
  });

test('a failure that a report marks as passed is failed, because its log shows it', () => {
  const id = 'getPet/status.404';
  const edited = change(1, (report) => ({
    ...report,
    verdicts: report.verdicts.map((verdict) =>
      verdict.requirement.id === id
        ? { kind: 'passed', requirement: verdict.requirement, exchanges: [0] }
        : verdict,
    ),
  }));
  expect(verdictOf(mergeReports(petstore, edited), id)?.kind).toBe('failed');
});

describe('is rejected', () => {
  test.each<[string, readonly NamedReport[], string]>([
    ['nothing', [], 'There is no report'],
    ['a shard twice', [...valid, ...valid.slice(1, 2)], 'Shard 2 of 3 was given twice'],
    [
      'a whole run',
      change(0, (report) => ({ ...report, run: { ...report.run, shard: undefined } })),
      'shard-1 is the report of a whole run',
    ],
    ['a merged report', change(0, () => mergeReports(petstore, valid)), 'is already merged'],
    [
      'another n',
      change(0, editShard({ count: 4 })),
      'shards is 4 in the first and 3 in the second',
    ],
    [
      'more fuzzing',
      change(2, editShard({ fuzz: 999 })),
      'the number of fuzzing requests is 144 in the first',
    ],
    [
      'another suite',
      change(2, editShard({ suite: 'suite 2' })),
      'the version of the suite is suite 1',
    ],
    ['other settings', change(2, editShard({ settings: 'x' })), 'a setting that decides'],
    [
      'another seed',
      change(2, (report) => ({ ...report, run: { ...report.run, seed: 9 } })),
      'seed is 1 in the first and 9 in the second',
    ],
    [
      'another target',
      change(2, (report) => ({ ...report, target: { ...report.target, baseUrl: 'http://x/v1' } })),
      'target is http://127.0.0.1:4010/v1 in the first',
    ],
    [
      'another document',
      change(2, (report) => ({
        ...report,
        contract: { ...report.contract, digest: 'f'.repeat(64) },
      })),
      'document is Petstore',
    ],
    [
      'another document than the one at hand',
      broken.map((each) => ({
        ...each,
        report: { ...each.report, contract: { ...each.report.contract, digest: 'f'.repeat(64) } },
      })),
      'pass that document with --contract',
    ],
  ])('%s', (_, reports, message) => {
    expect(() => mergeReports(petstore, reports)).toThrow(message);
  });
});

test.each([
  [[3], 'shard 3'],
  [[1, 2], 'shards 1 and 2'],
  [[1, 2, 3, 4, 7], 'shards 1 to 4 and 7'],
  [[1, 3, 5], 'shards 1, 3 and 5'],
])('%j are %s', (indexes, words) => {
  expect(nameShards(indexes)).toBe(words);
});
