import { expect, test } from 'vitest';
import type { Verdict, WaiverResult } from '../conformance/index.ts';
import { petstore as contract } from '../test/contract/petstore.ts';
import { sampleReport } from '../test/report/sample-report.ts';
import { listShortfalls, settleLevel } from './level.ts';

const base = {
  family: 'status',
  operation: 'a',
  sentence: '',
  pointer: '#',
  section: '',
} as const;
const mismatch = { exchange: 0, others: [], expected: '', received: '' };

function entry(
  kind: Verdict['kind'],
  level: Verdict['requirement']['level'] = 'must',
  id = 'a/b',
  applies = true,
): Verdict {
  const requirement = { ...base, id, level, subject: { kind: 'client', applies } as const };
  switch (kind) {
    case 'passed':
      return { kind, requirement, exchanges: [0] };
    case 'failed':
      return { kind, requirement, failures: [mismatch] };
    case 'waived':
      return { kind, requirement, failures: [mismatch], waiver: waiver('used').waiver };
    case 'not-tested':
      return { kind, requirement, reason: 'budget' };
    case 'open':
      return { kind, requirement, observations: [] };
  }
}

function waiver(state: WaiverResult['state'], requirement = 'a/b'): WaiverResult {
  return { waiver: { requirement, reason: 'r', owner: 'o', expires: '2030-01-01' }, state };
}

test.each<[string, readonly Verdict[], readonly WaiverResult[], string]>([
  ['everything held', [entry('passed'), entry('passed', 'should')], [], 'conforms'],
  ['a must failed', [entry('passed'), entry('failed')], [], 'failed'],
  ['a must failed, its waiver out of date', [entry('failed')], [waiver('expired')], 'failed'],
  ['a must waived', [entry('waived')], [waiver('used')], 'conforms'],
  ['a should failed', [entry('failed', 'should')], [], 'conforms'],
  ['a must not tested', [entry('passed'), entry('not-tested')], [], 'incomplete'],
  [
    'a must that does not apply to the client',
    [entry('passed'), entry('not-tested', 'must', 'a/b', false)],
    [],
    'conforms',
  ],
  [
    'a must that failed, though it is said not to apply',
    [entry('failed', 'must', 'a/b', false)],
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
  const report = { ...sampleReport(contract), verdicts, waivers };
  expect(settleLevel(report)).toBe(level);
  expect(listShortfalls(report).length === 0).toBe(level === 'conforms');
});
