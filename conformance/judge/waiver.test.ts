import { listRequirements } from '../family/requirements.ts';
import { expect, test } from 'vitest';
import type { JsonValue } from '../../contract/json/value.ts';
import { PetstoreError } from '../../contract/error/petstore-error.ts';
import { applyWaivers, type Verdict } from './verdict.ts';
import { answered, createFakeSender } from '../../test/conformance/fake-sender.ts';
import { createStillClock } from '../../test/conformance/still-clock.ts';
import { runConformance } from '../index.ts';
import { petstore as contract } from '../../test/contract/petstore.ts';
import { readWaivers, refuseUnbounded, type Waiver, maxWaived, maxWaiverDays } from './waiver.ts';

const id = 'createPet/status.201';
const waiver: Waiver = { requirement: id, reason: 'ticket 7', owner: 'ada', expires: '2026-03-31' };
const march = Date.parse('2026-03-31T23:59:59Z');
const april = Date.parse('2026-04-01T00:00:00Z');

function verdict(kind: 'passed' | 'failed' | 'not-tested'): Verdict {
  const requirement = listRequirements(contract).find((each) => each.id === id);
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
  [[{ ...waiver, owner: '' }], /^\/0\/owner has to be text that is not blank$/],
  [[{ ...waiver, requirement: 'createPet/nothing' }], /not a requirement of the contract/],
  [[{ ...waiver, requirement: '*/open.list-order' }], /never fails a run/],
  [[{ ...waiver, expires: '2026-02-30' }], /^\/0\/expires has to be a day such as/],
  [[{ ...waiver, expire: '2026-02-01' }], /^\/0\/expire is unknown here/],
  [[{ ...waiver }, { ...waiver }], /waived twice/],
])('refuses %j', ([value, reason]) => {
  expect(() => readWaivers(contract, value)).toThrow(PetstoreError);
  expect(() => readWaivers(contract, value)).toThrow(reason);
});

const started = Date.UTC(2026, 0, 1, 12);
const musts = listRequirements(contract).filter(({ level }) => level === 'must');

test('maxWaived: at most a tenth of the requirements may be waived', () => {
  const most = Math.floor((musts.length * maxWaived) / 100);
  const waive = (count: number): readonly Waiver[] =>
    musts.slice(0, count).map((requirement) => ({ ...waiver, requirement: requirement.id }));
  expect(most).toBeGreaterThan(10);
  expect(() => refuseUnbounded(contract, waive(most), started)).not.toThrow();
  expect(() => refuseUnbounded(contract, waive(most + 1), started)).toThrow(
    `there are ${most + 1} waivers, and a run against Petstore allows at most ${most}, 10 % of`,
  );
  const small = { ...contract, operations: [], resources: [], rateLimit: undefined };
  expect(() => refuseUnbounded(small, [waiver], started)).not.toThrow();
});

test('maxWaiverDays: a waiver may hold for a year and a day from the start of the run', () => {
  expect(maxWaiverDays).toBe(366);
  const until = (expires: string): (() => void) => {
    return () => refuseUnbounded(contract, [{ ...waiver, expires }], started);
  };
  expect(until('2027-01-02')).not.toThrow();
  expect(until('2027-01-03')).toThrow('the longest term is 366 days, until 2027-01-02');
  expect(until('9999-12-31')).toThrow(PetstoreError);
});

test('a name of 10 MB is abbreviated', () => {
  const named = [{ ...waiver, requirement: 'x'.repeat(1e7) }];
  expect(() => readWaivers(contract, named)).toThrow(/^.{1,600}$/s);
});

test('waivers for a huge document are read and applied in linear time', () => {
  const operations = Array.from({ length: 2_000 }, (_, index) =>
    contract.operations.slice(0, 1).map((each) => ({ ...each, id: `many${index}` })),
  );
  const huge = { ...contract, operations: operations.flat() };
  const many = listRequirements(huge).filter(({ level }) => level === 'must');
  expect(many.length).toBeGreaterThan(20_000);
  const rows = many.slice(0, 20_000).map((each) => ({ ...waiver, requirement: each.id }));
  const read = readWaivers(huge, rows);
  const verdicts = many.map(
    (each) => ({ kind: 'not-tested', requirement: each, reason: 'a' }) as const,
  );
  const { results } = applyWaivers(verdicts, read, march);
  expect(results.every(({ state }) => state === 'unreached')).toBe(true);
});

test('a server that fails everything does not conform through waivers', async () => {
  const waivers = musts.map(({ id: requirement }) => ({ ...waiver, requirement }));
  const sender = createFakeSender(() => answered(500, { message: 'no' }));
  await expect(
    runConformance(
      contract,
      { baseUrl: 'http://a.example/v1', apiKey: 'key' },
      { sender, clock: createStillClock(), waivers },
    ),
  ).rejects.toThrow(/at most/);
  expect(sender.requests).toEqual([]);
});
