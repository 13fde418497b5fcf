import { mkdtemp, rm } from 'node:fs/promises';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { startCommand } from '../../test/cli/command.ts';
import { createRandom } from '../../contract/sample/random.ts';
import {
  createInstance,
  nginxName,
  nginxProgram,
  type Program,
  serverName,
  serverProgram,
  startBalancer,
  startTestServer,
} from '../../test/mock/state/programs.ts';
import {
  type Exchange,
  judgeTrial,
  readStates,
  runTrial,
  type TrialPlan,
} from '../../test/mock/state/trial.ts';

/** Items of a new sandbox. */
const seeded = 30;

const isAnswered = ({ response }: Exchange): boolean => response !== undefined;

const ending: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ending.splice(0).toReversed()) await end();
});

async function startInstances(count: number, ...flags: readonly string[]) {
  const instances: Program[] = [];
  for (let index = 0; index < count; index += 1) {
    const instance = await createInstance(...flags);
    ending.push(() => instance.kill());
    instances.push(instance);
  }
  await Promise.all(instances.map((instance) => instance.start()));
  return instances;
}

function planFor(instances: readonly Program[], plan: Partial<TrialPlan>): TrialPlan {
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
    expect(judgeTrial(exchanges, await readStates(plan.ports[0] ?? 0, 50), seeded)).toEqual(
      new Map(),
    );
    expect(exchanges.every(isAnswered)).toBe(true);
  });

  test('several are not, in every way', { timeout: 120_000 }, async () => {
    const instances = await startInstances(2);
    const plan = planFor(instances, { clients: 20, sandboxes: 10 });
    const exchanges = await runTrial(plan);
    const faults = judgeTrial(exchanges, await readStates(plan.ports[0] ?? 0, 10), seeded);
    expect([...faults.keys()].toSorted()).toEqual([
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

/** Kills an instance after each so many requests, in the order of a seed, and starts it again. */
function createHarm(instances: readonly Program[], seed: number, every: number) {
  const random = createRandom(seed);
  const restarts: Promise<void>[] = [];
  let kills = 0;
  return {
    get kills() {
      return kills;
    },
    onProgress: (sent: number): void => {
      if (sent % every !== 0) return;
      const instance = instances[Math.floor(random() * instances.length)];
      if (instance?.isUp !== true) return;
      kills += 1;
      restarts.push(instance.kill().then(() => instance.start()));
    },
    end: () => Promise.all(restarts),
  };
}

describe.skipIf(serverProgram === undefined)(
  `instances that share a server (${serverName})`,
  () => {
    test.each([1, 2])(
      'are exact while they are killed and started, seed %i',
      { timeout: 300_000 },
      async (seed) => {
        const server = await startTestServer();
        ending.push(() => server.stop());
        const instances = await startInstances(4, '--state', server.url);
        const harm = createHarm(instances, seed, 200);
        const plan = planFor(instances, { seed, requests: 18, onProgress: harm.onProgress });
        const exchanges = await runTrial(plan);
        await harm.end();
        expect(harm.kills).toBeGreaterThan(2);
        expect(exchanges.filter(isAnswered).length).toBeGreaterThan(1000);
        const all = await Promise.all(plan.ports.map((port) => readStates(port, plan.sandboxes)));
        for (const states of all) expect(states).toEqual(all[0]);
        expect(judgeTrial(exchanges, all[0] ?? new Map(), seeded)).toEqual(new Map());
      },
    );
  },
);

describe.skipIf(serverProgram === undefined || nginxProgram === undefined)(
  `instances behind a balancer (${serverName}, ${nginxName})`,
  () => {
    const byChance = (configuration: string): string =>
      configuration.replace('hash $http_authorization consistent;', 'random;');

    async function startAll(change?: (configuration: string) => string, isShared = true) {
      const server = await startTestServer();
      ending.push(() => server.stop());
      const flags = isShared ? ['--state', server.url] : [];
      const instances = await startInstances(4, ...flags);
      const ports = instances.map(({ port }) => port);
      const balancer = await startBalancer(ports, change);
      ending.push(() => balancer.stop());
      return { instances, balancer };
    }

    test('are exact while they are killed and started', { timeout: 300_000 }, async () => {
      const { instances, balancer } = await startAll();
      const harm = createHarm(instances, 4, 200);
      const { onProgress } = harm;
      const plan = planFor(instances, { requests: 12, onProgress, ports: [balancer.port] });
      const exchanges = await runTrial(plan);
      await harm.end();
      expect(harm.kills).toBeGreaterThan(1);
      const states = await readStates(instances[0]?.port ?? 0, plan.sandboxes);
      expect(judgeTrial(exchanges, states, seeded, [502, 504])).toEqual(new Map());
      expect(exchanges.filter(isAnswered).length).toBe(exchanges.length);
    });

    /** The exit code of a run, and what it says. */
    async function conform(port: number) {
      const url = `http://127.0.0.1:${port}/v1`;
      const words = ['--base-url', url, '--api-key', 'demo-enterprise', '--fuzz', '150'];
      const command = startCommand('conform', ...words);
      return { code: await command.ended, told: command.stdout() };
    }

    test.each([
      ['by the key', undefined],
      ['by chance', byChance],
    ])('pass the whole suite, chosen %s', { timeout: 300_000 }, async (_name, change) => {
      const { balancer } = await startAll(change);
      expect(await conform(balancer.port)).toMatchObject({ code: 0 });
    });

    test('fail it without state, chosen by chance', { timeout: 300_000 }, async () => {
      const { balancer } = await startAll(byChance, false);
      expect((await conform(balancer.port)).code).toBe(1);
    });
  },
);

test(
  'one instance with a folder is exact while it is killed and started',
  { timeout: 300_000 },
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'petstore-state-'));
    ending.push(() => rm(folder, { recursive: true, force: true }));
    const instances = await startInstances(1, '--state', `file:${folder}`);
    const harm = createHarm(instances, 3, 400);
    const plan = planFor(instances, { requests: 20, onProgress: harm.onProgress });
    const exchanges = await runTrial(plan);
    await harm.end();
    expect(harm.kills).toBeGreaterThan(1);
    expect(judgeTrial(exchanges, await readStates(plan.ports[0] ?? 0, 50), seeded)).toEqual(
      new Map(),
    );
  },
);
