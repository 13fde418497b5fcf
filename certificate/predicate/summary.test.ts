import { expect, test } from 'vitest';
import { sampleSelftest, sampleSuite } from '../../test/cli/certificates.ts';
import { describeSelftest, listSettings } from './summary.ts';

test('settings are told in words: ids for things that have one, and nothing of what stands elsewhere', () => {
  const configuration = {
    seed: 1,
    plan: null,
    from: 1,
    clockMoved: 1000,
    baseUrl: 'http://x',
    nearMisses: ['cut'],
    scenarios: [
      { id: 'plain', openedAt: 1 },
      { id: 'large-ids', openedAt: 2 },
    ],
  };
  expect(listSettings(configuration)).toEqual([
    ['seed', '1'],
    ['nearMisses', '["cut"]'],
    ['scenarios', 'plain, large-ids'],
  ]);
});

test.each([
  ['server', 'mutants of servers', 'runs against conforming servers'],
  ['client', 'mutants of clients', 'runs against conforming clients'],
] as const)('the kill rate of a %s is told as one of its kind', (kind, mutants, variants) => {
  const told = describeSelftest({ kind, selftest: sampleSelftest, suite: sampleSuite }, true);
  expect(told).toContain(`named 880 of 880 ${mutants} (`);
  expect(told).toContain(variants);
  expect(told).not.toContain('UNVERIFIED');
});

test('a kill rate that was not compared is called unproved before its figures', () => {
  const parts = { kind: 'server', selftest: sampleSelftest, suite: sampleSuite } as const;
  expect(describeSelftest(parts, false)).toMatch(/^UNVERIFIED claim of the signer: named 880/);
});
