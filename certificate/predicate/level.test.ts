import { expect, test } from 'vitest';
import { countEntries, listShortfalls, settleLevel } from './level.ts';
import type { VerdictEntry, WaiverEntry } from './predicate.ts';

const entry = (
  verdict: VerdictEntry['verdict'],
  level: VerdictEntry['level'] = 'must',
  id = 'a/b',
): VerdictEntry => ({
  id,
  level,
  sentence: '',
  verdict,
  evidence: [],
  reason: verdict === 'unproven' ? 'budget' : null,
  choices: [],
  violations: [],
});
const waiver = (state: WaiverEntry['state'], obligation = 'a/b'): WaiverEntry => ({
  obligation,
  reason: 'r',
  owner: 'o',
  expires: '2030-01-01',
  state,
});

test.each<[string, readonly VerdictEntry[], readonly WaiverEntry[], string]>([
  ['everything held', [entry('held'), entry('held', 'should')], [], 'conforms'],
  ['a must violated', [entry('held'), entry('violated')], [], 'violated'],
  ['a must violated, its waiver out of date', [entry('violated')], [waiver('expired')], 'violated'],
  ['a must waived', [entry('waived')], [waiver('used')], 'conforms'],
  ['a should violated', [entry('violated', 'should')], [], 'conforms'],
  ['a must unproven', [entry('held'), entry('unproven')], [], 'incomplete'],
  ['a must unproven that a waiver names', [entry('unproven')], [waiver('unreached')], 'conforms'],
  [
    'a must unproven that a waiver out of date names',
    [entry('unproven')],
    [waiver('expired')],
    'incomplete',
  ],
  [
    'a must unproven that another waiver names',
    [entry('unproven')],
    [waiver('unreached', 'a/c')],
    'incomplete',
  ],
  ['a should unproven', [entry('unproven', 'should')], [], 'conforms'],
  ['an open question that nobody asked', [entry('unproven', 'open')], [], 'conforms'],
  ['an open question answered', [entry('observed', 'open')], [], 'conforms'],
  ['a waiver that is needless', [entry('held')], [waiver('needless')], 'incomplete'],
  ['a violation beside an unproven must', [entry('violated'), entry('unproven')], [], 'violated'],
])('%s', (_name, verdicts, waivers, level) => {
  expect(settleLevel(verdicts, waivers)).toBe(level);
  expect(listShortfalls(verdicts, waivers).length === 0).toBe(level === 'conforms');
});

test('counts every kind', () => {
  expect(
    countEntries([entry('held'), entry('held'), entry('unproven'), entry('observed')]),
  ).toEqual({ held: 2, violated: 0, waived: 0, unproven: 1, observed: 1 });
});
