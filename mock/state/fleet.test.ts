import { Agent } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import { createRandom } from '../../contract/index.ts';
import { type Instance, createInstance } from './testing/fleet/instance.ts';
import { isAnswered, judgeTrial } from './testing/fleet/judge.ts';
import { type TrialPlan, readStates, runTrial } from './testing/fleet/trial.ts';

/** Items of a new sandbox. */
const seeded = 30;

const ending: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ending.splice(0).toReversed()) await end();
});

async function startInstances(count: number, ...flags: readonly string[]) {
  const instances: Instance[] = [];
  for (let index = 0; index < count; index += 1) {
    const instance = await createInstance(...flags);
    ending.push(() => instance.kill());
    instances.push(instance);
  }
  await Promise.all(instances.map((instance) => instance.start()));
  return instances;
}

function planFor(instances: readonly Instance[], plan: Partial<TrialPlan>): TrialPlan {
  const agent = new Agent({ keepAlive: true, maxSockets: 32 });
  ending.push(() => agent.destroy());
  const ports = instances.map(({ port }) => port);
  return { seed: 1, clients: 100, sandboxes: 50, requests: 20, ports, agent, ...plan };
}

describe('without state', () => {
  test('one instance is exact', { timeout: 120_000 }, async () => {
    const instances = await startInstances(1);
    const plan = planFor(instances, {});
    const exchanges = await runTrial(plan);
    expect(judgeTrial(exchanges, await readStates(plan.ports[0] ?? 0, 50), seeded)).toEqual([]);
    expect(exchanges.every(isAnswered)).toBe(true);
  });

  test('several are not, in every way', { timeout: 120_000 }, async () => {
    const instances = await startInstances(2);
    const plan = planFor(instances, { clients: 20, sandboxes: 10 });
    const exchanges = await runTrial(plan);
    const faults = judgeTrial(exchanges, await readStates(plan.ports[0] ?? 0, 10), seeded);
    expect([...new Set(faults.map(({ kind }) => kind))].toSorted()).toEqual([
      'count',
      'id',
      'journal',
      'lost item',
      'order',
      'stale',
      'status',
    ]);
  });
});
void createRandom;
