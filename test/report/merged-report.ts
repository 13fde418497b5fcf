import { mergeReports, type Report } from '../../conformance/index.ts';
import type { Contract } from '../../contract/contract.ts';
import { openService } from '../cli/target.ts';
import { mutants } from '../../selftest/index.ts';

/** The reports of three shards of four, the second against a server with a fault, and one of all. */
export async function mergeSample(
  contract: Contract,
): Promise<{ readonly shards: readonly Report[]; readonly merged: Report }> {
  const fault = mutants.find(({ id }) => id === 'get-absent-400');
  const shards: Report[] = [];
  for (const index of [1, 2, 3]) {
    await using place = await openService(contract, index === 2 ? (fault?.behaviour() ?? {}) : {});
    const report = await place.run({ fuzz: 192, shard: { index, count: 4, suite: 'sample' } });
    shards.push({ ...report, target: { ...report.target, baseUrl: 'http://127.0.0.1:4010/v1' } });
  }
  const given = shards.map((report, at) => ({ name: `shard-${at + 1}`, report }));
  return { shards, merged: mergeReports(contract, given) };
}
