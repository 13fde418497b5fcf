import { expect, test } from 'vitest';
import { readExchanges } from '../../conformance/index.ts';
import { loadContract } from '../../contract/index.ts';
import { packageFile } from '../../cli/package/package-root.ts';
import { findUnfounded } from '../../selftest/oracle/index.ts';
import { judgeAgain, loadLogs } from './recorded-log.ts';
import { recordedDocument } from './rules.ts';

test('no recorded log contradicts its verdicts', async () => {
  const contract = await loadContract({ file: packageFile(recordedDocument) });
  const unfounded = new Map<string, readonly string[]>();
  for (const log of await loadLogs()) {
    if (log.kind !== 'server') continue;
    const again = await judgeAgain(contract, log);
    const claims = again.kind === 'unreadable' ? [] : (again.claims?.verdicts ?? []);
    const verdicts = claims.flatMap(({ id, verdict, evidence, reason }) => {
      const requirement = contract.requirementOf(id);
      const proofs = verdict === 'passed' ? evidence : [];
      return requirement
        ? [{ requirement, kind: verdict, exchanges: proofs, reason: reason ?? '' }]
        : [];
    });
    expect(verdicts.length).toBe(contract.requirements.length);
    unfounded.set(log.name, findUnfounded(contract, readExchanges(log.entries), verdicts));
  }
  expect([...unfounded].filter(([, sentences]) => sentences.length > 0)).toEqual([]);
  expect(unfounded.size).toBeGreaterThan(10);
});
