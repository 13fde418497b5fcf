import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { Agent, type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { startCommand } from '../../test/cli/command.ts';
import { createRandom } from '../../contract/sample/random.ts';
import { packageFile } from '../../cli/package/package-root.ts';
import { freePort } from '../../dev/load/server-process.ts';
import {
  type Program,
  createProgram,
  findProgram,
  serverName,
  serverProgram,
  startTestServer,
} from '../../test/mock/state/programs.ts';
import { createControlClient } from '../control/client.ts';

const nginxProgram = findProgram('nginx');
const nginxName = nginxProgram ?? 'no nginx is installed';

/**
 * A mock in its own process, not yet started.
 * @param flags of `petstore mock`, besides those for the port and the console
 */
async function createInstance(...flags: readonly string[]): Promise<Program> {
  const port = await freePort();
  const program = [process.execPath, packageFile('cli/petstore.ts'), 'mock'];
  const usual = ['--port', `${port}`, '--log', 'json', '--quiet', '--no-watch'];
  return createProgram(port, [...program, ...usual, ...flags], /"listening"/);
}

/**
 * Starts nginx with the configuration of docs/state.md.
 * @param ports of the instances, instead of those in the docs
 * @param change further changes to the configuration
 */
async function startBalancer(
  ports: readonly number[],
  change: (configuration: string) => string = (same) => same,
): Promise<Program> {
  const folder = await mkdtemp(join(tmpdir(), 'petstore-nginx-'));
  const port = await freePort();
  const page = readFileSync(packageFile('docs/state.md'), 'utf8');
  const [, configuration = ''] = /^```nginx\n(.*?)^```$/ms.exec(page) ?? [];
  const servers = ports.map((one) => `  server 127.0.0.1:${one} max_fails=1 fail_timeout=1s;\n`);
  const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  await mkdir(join(folder, 'logs'));
  await writeFile(
    join(folder, 'nginx.conf'),
    `daemon off;
${process.getuid?.() === 0 ? 'user root;' : ''}
worker_processes 1;
pid nginx.pid;
error_log stderr notice;
events {}
http {
access_log off;
${folders.map((name) => `${name}_temp_path ${name};`).join('\n')}
${change(
  configuration
    .replace(/( *server 127\.0\.0\.1:.*\n)+/, servers.join(''))
    .replace(/listen \d+;/, `listen 127.0.0.1:${port};`),
)}}
`,
  );
  const words = [nginxName, '-p', folder, '-c', 'nginx.conf', '-e', 'stderr'];
  const balancer = createProgram(port, words, /start worker process \d/, folder);
  await balancer.start();
  return balancer;
}

/** What a client of the trial asks for. Names are unique in the whole trial. */
type Act =
  | { readonly kind: 'create'; readonly name: string }
  | { readonly kind: 'get'; readonly id: string; readonly name: string }
  | { readonly kind: 'list' };

/** One request of the trial; times in milliseconds of one clock. */
interface Exchange {
  readonly sandbox: string;
  readonly act: Act;
  readonly start: number;
  readonly end: number;
  /** Undefined if the connection was lost: it may have been done, or not. */
  readonly response: TrialResponse | undefined;
}

interface TrialResponse {
  readonly status: number;
  readonly body: string;
  /** Requests that the current window has counted: limit less remaining. */
  readonly used: number;
  /** When the window ends, in seconds: which window it is. */
  readonly reset: number;
  /** How many instances a balancer has sent it to; all but the last may have counted it too. */
  readonly tries: number;
}

/** What the instances have of a sandbox after the trial. */
interface FinalState {
  /** All items, by id. */
  readonly items: readonly { readonly id: string; readonly name: string }[];
  /** Requests that the journal has counted. */
  readonly journaled: number;
}

interface TrialPlan {
  readonly seed: number;
  readonly clients: number;
  readonly sandboxes: number;
  /** Of each client, except requests that could not connect. */
  readonly requests: number;
  /** Ports, one of which each request goes to. */
  readonly ports: readonly number[];
  readonly agent: Agent;
  /** Called after each request, with the number sent by all clients. */
  readonly onProgress?: (sent: number) => void;
}

/** Sends all requests, those of each client one after another, and returns what came of each. */
async function runTrial(plan: TrialPlan): Promise<readonly Exchange[]> {
  const exchanges: Exchange[] = [];
  /** What was acknowledged in each sandbox, to whomever. */
  const created = new Map<string, { readonly id: string; readonly name: string }[]>();

  async function runClient(index: number): Promise<void> {
    const random = createRandom(plan.seed * 1000 + index);
    const sandbox = `f${index % plan.sandboxes}`;
    const known = created.get(sandbox) ?? [];
    created.set(sandbox, known);
    const pick = <Value>(values: readonly Value[]): Value | undefined =>
      values[Math.floor(random() * values.length)];
    for (let count = 0; count < plan.requests;) {
      const item = random() < 0.4 ? pick(known) : undefined;
      const name = `${sandbox}-${index}-${count}`;
      const other: Act = random() < 0.15 ? { kind: 'list' } : { kind: 'create', name };
      const act: Act = item === undefined ? other : { kind: 'get', ...item };
      const start = performance.now();
      const response = await send(pick(plan.ports) ?? 0, sandbox, act, plan.agent);
      if (response === 'unsent') {
        // That instance is down: another one, or the same a moment later.
        await sleep(2);
        continue;
      }
      count += 1;
      exchanges.push({ sandbox, act, start, end: performance.now(), response });
      if (act.kind === 'create' && response?.status === 201)
        known.push({ id: idIn(response.body), name });
      plan.onProgress?.(exchanges.length);
    }
  }

  await Promise.all(Array.from({ length: plan.clients }, (_, index) => runClient(index)));
  return exchanges;
}

async function send(
  port: number,
  sandbox: string,
  act: Act,
  agent: Agent,
): Promise<TrialResponse | 'unsent' | undefined> {
  const body =
    act.kind === 'create' ? JSON.stringify({ name: act.name, categoryId: 1 }) : undefined;
  const path = act.kind === 'get' ? `/v1/pets/${act.id}` : '/v1/pets';
  const method = body === undefined ? 'GET' : 'POST';
  const headers = {
    authorization: `Bearer enterprise_${sandbox}`,
    ...(body !== undefined && {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    }),
  };
  try {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      request({ host: '127.0.0.1', port, path, agent, method, headers })
        .on('response', resolve)
        .on('error', reject)
        .end(body);
    });
    const content = await text(response);
    const number = (name: string): number => Number(response.headers[name]);
    return {
      status: response.statusCode ?? 0,
      body: content,
      used: number('x-ratelimit-limit') - number('x-ratelimit-remaining'),
      reset: number('x-ratelimit-reset'),
      tries: String(response.headers['petstore-instance'] ?? '').split(',').length,
    };
  } catch (error) {
    return Object(error).code === 'ECONNREFUSED' ? 'unsent' : undefined;
  }
}

/** The id of a pet in a body, with all its digits. */
function idIn(body: string): string {
  return /"id":(-?\d+)/.exec(body)?.[1] ?? '';
}

/** What one of the instances has of the sandboxes. */
async function readStates(
  port: number,
  sandboxes: number,
): Promise<ReadonlyMap<string, FinalState>> {
  const control = createControlClient(`http://127.0.0.1:${port}`);
  const states = new Map<string, FinalState>();
  for (let index = 0; index < sandboxes; index += 1) {
    const sandbox = `f${index}`;
    const collection = '/pets';
    const { items } = await control.call('listItems', { sandbox, collection, limit: 1000 });
    const { next } = await control.call('readJournal', { sandbox });
    states.set(sandbox, {
      items: items.map(({ id, item }) => ({ id, name: String(Object(item)['name']) })),
      journaled: next,
    });
  }
  return states;
}

/** What is wrong, a sentence each, by kind. */
type Faults = Map<
  'status' | 'id' | 'lost item' | 'strange item' | 'count' | 'order' | 'stale' | 'journal',
  string[]
>;

type Answered = Exchange & { readonly response: TrialResponse };

/**
 * Compares the responses with each other, and with what is there in the end: each acknowledged request counts
 * once, each other one once or not at all.
 *
 * @param seeded how many items a sandbox begins with
 * @param excused statuses of a balancer while an instance is down
 */
function judgeTrial(
  exchanges: readonly Exchange[],
  states: ReadonlyMap<string, FinalState>,
  seeded: number,
  excused: readonly number[] = [],
): Faults {
  const faults: Faults = new Map();
  for (const [sandbox, state] of states) {
    const add: AddFault = (kind, detail) =>
      void faults.set(kind, [...(faults.get(kind) ?? []), `${sandbox}: ${detail}`]);
    const own = exchanges.filter((one) => one.sandbox === sandbox);
    const answered = own
      .filter((one): one is Answered => one.response !== undefined)
      .filter(({ response }) => !excused.includes(response.status));
    const again = answered.reduce((sum, { response }) => sum + response.tries - 1, 0);
    judgeItems(own, answered, state, seeded, add);
    judgeCounts(answered, own.length - answered.length + again, state.journaled, add);
  }
  return faults;
}

type AddFault = (kind: Parameters<Faults['set']>[0], detail: string) => void;

function judgeItems(
  exchanges: readonly Exchange[],
  answered: readonly Answered[],
  { items }: FinalState,
  seeded: number,
  add: AddFault,
): void {
  const names = new Map(items.map(({ id, name }) => [id, name]));
  const created: string[] = [];
  for (const { act, response } of answered) {
    const { status, body } = response;
    if (status !== (act.kind === 'create' ? 201 : 200)) {
      add('status', `${act.kind} has ${status}: ${body.slice(0, 100)}`);
      continue;
    }
    // A read shows what was acknowledged before.
    if (act.kind === 'get' && !body.includes(`"name":"${act.name}"`))
      add('stale', `${act.id} is not ${act.name}`);
    if (act.kind !== 'create') continue;
    const id = idIn(body);
    created.push(id);
    if (names.get(id) !== act.name)
      add('lost item', `${act.name} (id ${id}) was acknowledged and is gone`);
  }
  for (const id of repeated(created)) add('id', `id ${id} was given twice`);
  for (const id of repeated(items.map((one) => one.id))) add('id', `id ${id} is there twice`);
  const asked = new Set(exchanges.flatMap(({ act }) => (act.kind === 'create' ? [act.name] : [])));
  for (const name of repeated(items.map((one) => one.name)))
    if (asked.has(name)) add('strange item', `${name} was added twice`);
  const others = items.filter(({ name }) => !asked.has(name)).length;
  if (others !== seeded) add('strange item', `${others} items that nobody added, not ${seeded}`);
}

/** @param lost number of requests whose effect is unknown */
function judgeCounts(
  answered: readonly Answered[],
  lost: number,
  journaled: number,
  add: AddFault,
): void {
  let missing = 0;
  for (const [reset, some] of Map.groupBy(answered, ({ response }) => response.reset)) {
    const used = some.map(({ response }) => response.used);
    for (const count of repeated(used))
      add('count', `two requests were number ${count} until ${reset}`);
    missing += Math.max(...used) - new Set(used).size;
    const byEnd = some.toSorted((one, other) => one.end - other.end);
    let [next, highest] = [0, 0];
    for (const { start, response } of some.toSorted((one, other) => one.start - other.start)) {
      for (let ended = byEnd[next]; ended !== undefined && ended.end < start; ended = byEnd[next]) {
        highest = Math.max(highest, ended.response.used);
        next += 1;
      }
      if (response.used <= highest)
        add('order', `request ${response.used} began after request ${highest} had its response`);
    }
  }
  if (missing > lost)
    add('count', `${missing} requests were counted that nobody knows of, and ${lost} were lost`);
  if (journaled < answered.length || journaled > answered.length + lost)
    add(
      'journal',
      `${journaled} requests in the journal, ${answered.length} had a response, ${lost} were lost`,
    );
}

function repeated<Value>(values: readonly Value[]): readonly Value[] {
  const seen = new Set<Value>();
  return values.filter((value) => seen.size === seen.add(value).size);
}

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

  test('several are not, in every respect', { timeout: 120_000 }, async () => {
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

/** Kills an instance at intervals counted in requests, in the order of a seed, and restarts it. */
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
      'stay exact while they are killed and restarted, seed %i',
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

    test('stay exact while they are killed and restarted', { timeout: 300_000 }, async () => {
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
      return { code: await command.ended, reported: command.stdout() };
    }

    test.each([
      ['by the key', undefined],
      ['by chance', byChance],
    ])('pass the whole suite, balanced %s', { timeout: 300_000 }, async (_name, change) => {
      const { balancer } = await startAll(change);
      expect(await conform(balancer.port)).toMatchObject({ code: 0 });
    });

    test('fail the suite without state, balanced at random', { timeout: 300_000 }, async () => {
      const { balancer } = await startAll(byChance, false);
      expect((await conform(balancer.port)).code).toBe(1);
    });
  },
);

test(
  'one instance with a folder stays exact while it is killed and restarted',
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
