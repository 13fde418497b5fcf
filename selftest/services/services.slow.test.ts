import { describe, expect, test } from 'vitest';
import { petstore } from '../../test/contract/petstore.ts';
import { judgeService, readTrial } from '../trial.ts';
import { serviceMutants } from './mutants.ts';
import { createService as createStore } from './store/service.ts';
import { createService as createValidating } from './validating/service.ts';

const ways = [
  { seed: 1, requests: 60 },
  { seed: 2, requests: 240 },
  { seed: 3, requests: 60, exhaust: true, latency: 40 },
];

const services = [
  ['that validates', createValidating],
  ['over a database', createStore],
] as const;

describe.for(services)('a service %s', ([, create]) => {
  test.for(ways)('conforms with %o', async (way) => {
    const running = judgeService(petstore, (clock) => create({}, clock), way);
    const { named, broken } = await readTrial(petstore, '', way.seed, running);
    expect(broken).toBeUndefined();
    expect(named).toEqual([]);
  });
});

describe('a setting that people leave is named by its own requirement', () => {
  test.for(serviceMutants.map((mutant) => ({ id: mutant.id, mutant })))(
    '$id',
    async ({ mutant }) => {
      const requests = mutant.needs === 'more' ? 240 : 60;
      const running = judgeService(petstore, mutant.create, { requests });
      const { named, broken } = await readTrial(petstore, mutant.id, 1, running);
      expect(broken).toBeUndefined();
      expect(named).toContain(mutant.breaks[0]);
    },
  );
});
