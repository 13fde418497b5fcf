import { expect, test } from 'vitest';
import { books } from '../../test/contract/books.ts';
import { petstore } from '../../test/contract/petstore.ts';
import { documentOf, members, ok, referTo, times } from '../../test/contract/compose-document.ts';
import { loadContract } from '../../contract/load.ts';
import type { Contract } from '../../contract/contract.ts';
import { createRandom } from '../generate/random.ts';
import { planRun } from './plan.ts';
import type { RunPlan } from './settings.ts';

function plan(requests: number, contract: Contract = petstore): RunPlan {
  const options = { requests, readOnly: false, exhaust: false, fuzz: 0, saved: [] };
  return planRun(
    {
      contract,
      plan: undefined,
      random: createRandom(1),
      nearMisses: ['cut', 'longer', 'other-case'],
    },
    { ...options, shrink: 0 },
    { only: new Set<string>(), skip: new Set<string>() },
  );
}

const idsOf = ({ probes }: RunPlan): readonly string[] => probes.map(({ id }) => id);

test('60 requests cover what most servers get wrong', () => {
  expect(plan(60).requests).toBe(60);
  const ids = idsOf(plan(60));
  for (const way of [
    '`status` is null',
    '`status` is a number, as of a position',
    '`name` is null',
    '`categoryId` is a string of digits',
    '`categoryId` is 2^63, one too large',
    'the body is an array around a valid value',
    'the body is missing',
  ])
    expect(ids).toContain(`createPet/invalid: ${way}`);
});

test('240 requests cover every probe that is not generated', () => {
  const left = plan(240).left.map(({ probe }) => probe.id);
  expect(left.filter((id) => !/generated|exhaust/.test(id))).toEqual([]);
  const ids = idsOf(plan(240));
  expect(new Set(ids).size).toBe(ids.length);
});

test('of very many values, those of single members and parameters are left out', async () => {
  const values = times(1_000, (at) => `v${at}`);
  const paths = members(60, (at) => {
    const parameters = [{ name: 'q', in: 'query', schema: { type: 'string', enum: values } }];
    return [`/p${at}`, { get: { parameters, responses: ok(referTo('Pet')) } }];
  });
  const text = JSON.stringify(
    documentOf(paths, { components: { schemas: { Pet: { type: 'object' } } } }),
  );
  const { probes, left } = plan(500, await loadContract({ text }));
  expect(probes.length + left.length).toBe(30_000);
  expect(probes.filter(({ id }) => id.endsWith('/plain'))).toHaveLength(61);
});

test.for([20, 60, 120, 240])(
  'a plan of %i requests is never exceeded, whatever the document',
  (most) => {
    for (const contract of [petstore, books])
      expect(plan(most, contract).requests).toBeLessThanOrEqual(most);
  },
);
