import { expect, test } from 'vitest';
import { type JsonValue, PetstoreError } from '../../contract/index.ts';
import type { Verdict } from './verdict.ts';
import { applyWaivers } from './waiver-result.ts';
import { readWaivers, type Waiver } from './waiver.ts';
import { petstore as contract } from '../../contract/testing/petstore.ts';

const id = 'createPet/status.201';
const waiver: Waiver = { requirement: id, reason: 'ticket 7', owner: 'ada', expires: '2026-03-31' };
const march = Date.parse('2026-03-31T23:59:59Z');
const april = Date.parse('2026-04-01T00:00:00Z');

function verdict(kind: 'passed' | 'failed' | 'not-tested'): Verdict {
  const requirement = contract.requirements.find((each) => each.id === id);
  if (requirement === undefined) throw new Error('no such requirement');
  if (kind === 'passed') return { kind, requirement, exchanges: [0] };
  if (kind === 'not-tested') return { kind, requirement, reason: 'budget' };
  return {
    kind,
    requirement,
    failures: [{ exchange: 0, others: [], expected: 'a', received: 'b' }],
  };
}

test.for<[string, Verdict, number, string, string]>([
  ['covers a failure until the end of its last day', verdict('failed'), march, 'waived', 'used'],
  ['covers nothing once it is out of date', verdict('failed'), april, 'failed', 'expired'],
  ['is needless where the requirement holds', verdict('passed'), march, 'passed', 'needless'],
  [
    'is not held against a run that did not reach the requirement',
    verdict('not-tested'),
    march,
    'not-tested',
    'unreached',
  ],
])('a waiver %s', ([, before, now, kind, state]) => {
  const { verdicts, results } = applyWaivers([before], [waiver], now);
  expect(verdicts.map((each) => each.kind)).toEqual([kind]);
  expect(results.map((each) => each.state)).toEqual([state]);
});

test.for<[JsonValue, RegExp]>([
  [{}, /^the whole has to be a list$/],
  [[1], /^\/0 has to be an object$/],
  [[{ ...waiver, owner: '' }], /^\/0\/owner has to be a text that is not blank$/],
  [[{ ...waiver, requirement: 'createPet/nothing' }], /no requirement of the contract/],
  [[{ ...waiver, requirement: '*/open.list-order' }], /never fails a run/],
  [[{ ...waiver, expires: '2026-02-30' }], /^\/0\/expires has to be a day such as/],
  [[{ ...waiver, expire: '2026-02-01' }], /^\/0\/expire is unknown here/],
  [[{ ...waiver }, { ...waiver }], /waived twice/],
])('refuses %j', ([value, reason]) => {
  expect(() => readWaivers(contract, value)).toThrow(PetstoreError);
  expect(() => readWaivers(contract, value)).toThrow(reason);
});
