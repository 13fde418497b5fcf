import { describe, expect, test } from 'vitest';
import { mergeReports, type Report } from '../../conformance/index.ts';
import { parseJson } from '../../contract/json/value.ts';
import { petstore } from '../../test/contract/petstore.ts';
import { renderJsonReport } from '../../report/json.ts';
import { mutants, type Mutant } from '../index.ts';
import { judgeSubject } from '../trial.ts';
import { findFalseCauses } from './facts.ts';

/** The reports of three shards: some against a service with a fault, the others against one without. */
async function mergeShards(id: string, faulty: readonly number[]) {
  const mutant = mutants.find((each) => each.id === id);
  if (mutant === undefined) throw new RangeError(`no mutant has the id ${id}`);
  const valid: Mutant = { id: 'valid', breaks: [''], behaviour: () => ({}) };
  const reports: Report[] = [];
  for (const index of [1, 2, 3]) {
    const report = await judgeSubject(petstore, faulty.includes(index) ? mutant : valid, {
      seed: 1,
      requests: mutant.needs === 'more' ? 240 : 60 - index,
      exhaust: mutant.needs === 'exhaust',
      isOverNetwork: false,
      fuzz: 96,
      shard: { index, count: 3, suite: '' },
    });
    const shard = report.run.shard && { ...report.run.shard, settings: '' };
    const target = { ...report.target, baseUrl: 'http://127.0.0.1:4010/v1' };
    reports.push({ ...report, target, run: { ...report.run, shard } });
  }
  const merged = mergeReports(
    petstore,
    reports.map((report, at) => ({ name: `shard-${at + 1}`, report })),
  );
  return { merged, text: renderJsonReport(merged, petstore) };
}

/** What is read of the causes of `report.json`. */
interface Shown {
  readonly causes: readonly { readonly sentence: string; readonly exchanges: readonly number[] }[];
  readonly merge: {
    readonly shards: readonly { readonly from: number; readonly requests: number }[];
  };
}

describe('the statements of a merged report are those of all shards', () => {
  test.for<[string, readonly number[], string]>([
    ['category-id-zero-500', [1, 2, 3], 'Seen in shards 1 to 3.'],
    ['category-id-zero-500', [2], 'Seen in shard 2.'],
    ['auth-after-lookup', [1, 2, 3], 'Seen in shards 1 to 3.'],
    ['headers-on-success-only', [1, 3], 'Seen in shards 1 and 3.'],
    ['name-trimmed', [1, 2, 3], 'Seen in shards 1 to 3.'],
    ['id-read-through-double', [2, 3], 'Seen in shards 2 and 3.'],
    ['together-one-answer', [1, 2, 3], 'Seen in shards 1 to 3.'],
    ['surrogate-breaks-lists', [1, 2, 3], 'Seen in shards 1 to 3.'],
    ['rate-limit-by-path', [1, 2], 'Seen in shards 1 and 2.'],
  ])('%s in shards %s', async ([id, faulty, seen]) => {
    const { merged, text } = await mergeShards(id, faulty);
    expect(findFalseCauses(merged, parseJson(text))).toEqual([]);
    const { causes, merge }: Shown = JSON.parse(text);
    expect(causes.map(({ sentence }) => sentence)).toEqual([expect.stringContaining(seen)]);
    const counted = merge.shards.map(({ from, requests }) =>
      causes.some(({ exchanges }) => exchanges.some((at) => at >= from && at < from + requests)),
    );
    expect(counted.filter(Boolean).length).toBe(faulty.length);
  });

  test.for<[string, was: RegExp, is: string]>([
    ['the exchanges of one shard only', /"others": \d+/, '"others": 3'],
    ['of how many', /"of": \d+/, '"of": 1'],
    ['a count of verdicts', /"not-tested": \d+/, '"not-tested": 99'],
  ])('%s is detected', async ([, was, is]) => {
    const { merged, text } = await mergeShards('category-id-zero-500', [1, 2, 3]);
    expect(findFalseCauses(merged, parseJson(text))).toEqual([]);
    expect(text).toMatch(was);
    expect(findFalseCauses(merged, parseJson(text.replace(was, is)))).not.toEqual([]);
  });
});
