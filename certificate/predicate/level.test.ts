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
  reason: verdict === 'not-tested' ? 'budget' : null,
  choices: [],
  failures: [],
});
const waiver = (state: WaiverEntry['state'], requirement = 'a/b'): WaiverEntry => ({
  requirement,
  reason: 'r',
  owner: 'o',
  expires: '2030-01-01',
  state,
});

test.each<[string, readonly VerdictEntry[], readonly WaiverEntry[], string]>([
  ['everything held', [entry('passed'), entry('passed', 'should')], [], 'conforms'],
  ['a must failed', [entry('passed'), entry('failed')], [], 'failed'],
  ['a must failed, its waiver out of date', [entry('failed')], [waiver('expired')], 'failed'],
  ['a must waived', [entry('waived')], [waiver('used')], 'conforms'],
  ['a should failed', [entry('failed', 'should')], [], 'conforms'],
  ['a must not tested', [entry('passed'), entry('not-tested')], [], 'incomplete'],
  [
    'a must that does not apply to the client',
    [entry('passed'), { ...entry('not-tested'), applies: false }],
    [],
    'conforms',
  ],
  [
    'a must that failed, though it is said not to apply',
    [{ ...entry('failed'), applies: false }],
    [],
    'failed',
  ],
  [
    'a must not tested that a waiver names',
    [entry('not-tested')],
    [waiver('unreached')],
    'conforms',
  ],
  [
    'a must not tested that a waiver out of date names',
    [entry('not-tested')],
    [waiver('expired')],
    'incomplete',
  ],
  [
    'a must not tested that another waiver names',
    [entry('not-tested')],
    [waiver('unreached', 'a/c')],
    'incomplete',
  ],
  ['a should not tested', [entry('not-tested', 'should')], [], 'conforms'],
  ['an open question that nobody asked', [entry('not-tested', 'open')], [], 'conforms'],
  ['an open question answered', [entry('open', 'open')], [], 'conforms'],
  ['a waiver that is needless', [entry('passed')], [waiver('needless')], 'incomplete'],
  ['a failure beside an not tested must', [entry('failed'), entry('not-tested')], [], 'failed'],
])('%s', (_name, verdicts, waivers, level) => {
  expect(settleLevel(verdicts, waivers)).toBe(level);
  expect(listShortfalls(verdicts, waivers).length === 0).toBe(level === 'conforms');
});

test('counts every kind, and no open question that nobody asked', () => {
  expect(
    countEntries([
      entry('passed'),
      entry('passed'),
      entry('not-tested'),
      entry('not-tested', 'open'),
      entry('open', 'open'),
    ]),
  ).toEqual({ passed: 2, failed: 0, waived: 0, 'not-tested': 1, open: 1 });
});
