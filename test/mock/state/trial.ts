import { type Agent, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { createRandom } from '../../../contract/sample/random.ts';
import { createControlClient } from '../../../mock/control/client.ts';

/** What a client of the trial asks for. Names are unique in the whole trial. */
type Act =
  | { readonly kind: 'create'; readonly name: string }
  | { readonly kind: 'get'; readonly id: string; readonly name: string }
  | { readonly kind: 'list' };

/** One request of the trial; times in milliseconds of one clock. */
export interface Exchange {
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

export interface TrialPlan {
  readonly seed: number;
  readonly clients: number;
  readonly sandboxes: number;
  /** Of each client, besides those that found nobody who listens. */
  readonly requests: number;
  /** Ports, one of which each request goes to. */
  readonly ports: readonly number[];
  readonly agent: Agent;
  /** Called after so many requests were sent, of all clients. */
  readonly onProgress?: (sent: number) => void;
}

/** Sends all requests, those of each client one after another, and returns what came of each. */
export async function runTrial(plan: TrialPlan): Promise<readonly Exchange[]> {
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
export async function readStates(
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
export function judgeTrial(
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

/** @param lost how often something was sent of which nobody knows whether it was done */
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
