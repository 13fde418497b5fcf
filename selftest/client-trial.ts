import {
  type ClientEnd,
  type ClientRecord,
  type RecordedScenario,
  type Scenario,
  type ScenarioRun,
  isBadEnd,
  judgeClient,
  listScenarios,
  rejudge,
  setUpScenario,
} from '../client/index.ts';
import { pairsOf, type Verdict } from '../conformance/index.ts';
import type { Contract } from '../contract/contract.ts';
import { createRandom } from '../contract/sample/random.ts';
import type { MockResponse } from '../mock/index.ts';
import {
  type ClientBehaviour,
  createClient,
  type Wire,
  type WireRequest,
  type WireResponse,
} from './clients/client.ts';
import type { ClientMutant } from './clients/mutants.ts';

/**
 * What is wrong with the verdicts on a mutant, or on a valid client, each in a line that begins with its
 * kind.
 */
export function judgeTrial(
  client: ClientMutant | Pick<ClientMutant, 'habit'>,
  { failed, badEnds }: Pick<ClientTrial, 'failed' | 'badEnds'>,
): readonly string[] {
  if (!('breaks' in client)) {
    const alarms = [...failed, ...badEnds.map((id) => `no good end in ${id}`)];
    return alarms.length === 0 ? [] : [`FALSE ALARM  ${alarms.join(', ')}`];
  }
  const { breaks, also } = client;
  const unrelated = failed.filter((rule) => rule !== breaks && !also.includes(rule));
  const missed = failed.includes(breaks) ? [] : [`MISSED       ${breaks} was not failed`];
  return unrelated.length === 0 ? missed : [...missed, `UNRELATED    also ${unrelated.join(', ')}`];
}

/** The results of a client over all scenarios. */
export interface ClientTrial {
  readonly verdicts: readonly Verdict[];
  /** Rules that it failed, including advice, without the prefix `client/`. */
  readonly failed: readonly string[];
  /** Scenarios in which it had to succeed and did not. */
  readonly badEnds: readonly string[];
  readonly requests: number;
  /** Verifies the run as a certificate would. @returns the differences */
  readonly verify: () => Promise<readonly string[]>;
}

/** When every trial begins: at a whole second, in the middle of a minute. */
const begin = Date.parse('2026-06-01T12:00:20.000Z');

/** Simulated milliseconds that a client has for a scenario. */
const timeout = 300_000;

const plan = 'Free';

/**
 * Runs a careful client with one change in every scenario, in simulated time. The same seed gives the same
 * trial.
 */
export async function tryClient(
  contract: Contract,
  habit: Partial<ClientBehaviour>,
  seed: number,
): Promise<ClientTrial> {
  const played = [];
  for (const [at, scenario] of listScenarios(contract).entries())
    played.push(await play(contract, habit, scenario, seed * 1000 + at));
  const exchanges = played
    .flatMap((each) => each.exchanges)
    .map((exchange, index) => ({ ...exchange, index }));
  const scenarios = played.map((each) => each.record);
  const verdicts = judgeClient(contract, { source: 'scenarios', exchanges }, { scenarios });
  const record: ClientRecord = { name: '', plan, from: begin, to: begin + timeout, scenarios };
  return {
    verdicts,
    failed: verdicts
      .filter(({ kind }) => kind === 'failed')
      .map(({ requirement }) => requirement.id.replace('client/', '')),
    badEnds: scenarios.filter(isBadEnd).map(({ id }) => id),
    requests: exchanges.length,
    verify: async () => {
      const { departures } = await rejudge(contract, record, exchanges);
      return departures.map(({ sentence }) => sentence);
    },
  };
}

async function play(
  contract: Contract,
  habit: Partial<ClientBehaviour>,
  scenario: Scenario,
  seed: number,
) {
  const time = new SimulatedTime(begin);
  const clock = { now: () => Math.floor(time.now()), sleep: time.sleep };
  const run = await setUpScenario(contract, plan, scenario, { clock });
  const random = createRandom(seed);
  const ends = { kind: 'exited' } as const;
  const ended = createClient(habit)({
    wire: openNetwork(run, time, random),
    key: run.key,
    random,
  }).then(
    (): ClientEnd => ({ ...ends, code: 0 }),
    (): ClientEnd => ({ ...ends, code: 1 }),
  );
  const end = (await time.runUntil(ended, timeout)) ? await ended : { kind: 'timeout' as const };
  const { id, mustSucceed } = scenario;
  const record: RecordedScenario = { id, mustSucceed, end, openedAt: run.openedAt };
  return { exchanges: run.exchanges, record };
}

/**
 * A clock in milliseconds since 1970 that stops while anything is running, and then advances to the next
 * timer.
 */
class SimulatedTime {
  #now: number;
  readonly #timers: { readonly at: number; readonly resolve: () => void }[] = [];

  constructor(begin: number) {
    this.#now = begin;
  }

  readonly now = (): number => this.#now;

  readonly sleep = async (milliseconds: number): Promise<void> =>
    await new Promise((resolve) => {
      const at = this.#now + Math.max(0, milliseconds);
      const index = this.#timers.findIndex((timer) => timer.at > at);
      this.#timers.splice(index === -1 ? this.#timers.length : index, 0, { at, resolve });
    });

  /** Advances the clock until a promise is settled; false if that takes longer than the limit. */
  async runUntil(settled: Promise<unknown>, milliseconds: number): Promise<boolean> {
    const end = this.#now + milliseconds;
    let isSettled = false;
    void settled.finally(() => (isSettled = true));
    for (;;) {
      // Everything that does not wait for the clock is done before the clock advances.
      await new Promise((resolve) => void setImmediate(resolve));
      if (isSettled) return true;
      const next = this.#timers.shift();
      if (next === undefined || next.at > end) return false;
      this.#now = next.at;
      next.resolve();
    }
  }
}

/** Milliseconds to open or close a connection: the same for each, so that their order is kept. */
const opening = 0.1;

/**
 * A network between one client and the mock of a scenario. Each direction takes a random fraction of a
 * millisecond.
 */
function openNetwork(run: ScenarioRun, { now, sleep }: SimulatedTime, random: () => number): Wire {
  const idle: object[] = [];
  const travel = async (): Promise<void> => await sleep(0.1 + random() * 0.6);
  const connect = async (): Promise<object> => {
    const connection = {};
    await sleep(opening);
    run.connections.opened(connection);
    await travel();
    return connection;
  };
  const close = async (connection: object): Promise<void> => {
    await sleep(opening);
    run.connections.closed(connection);
  };
  /** The response; `reset` if the connection was reset, undefined if no response ever comes. */
  const exchange = async (request: WireRequest, connection: object) => {
    await travel();
    const response = run.handle(readRequest(run.contract.basePath, request, connection));
    const { delay = 0, end } = response.delivery ?? {};
    await sleep(delay);
    await travel();
    if (end === 'silence') await sleep(Infinity);
    return end === 'reset' ? end : response;
  };
  return {
    now,
    sleep,
    async send(request) {
      const { hasOwnConnection, timeout: patience = Infinity } = request;
      const connection = (hasOwnConnection ? undefined : idle.shift()) ?? (await connect());
      const isLate = sleep(patience).then(() => 'late' as const);
      const response = await Promise.race([exchange(request, connection), isLate]);
      if (response === 'late' || hasOwnConnection) void close(connection);
      else if (response !== 'reset') idle.push(connection);
      if (typeof response === 'string') throw new Error(`No response: ${response}.`);
      return readResponse(request, response);
    },
  };
}

function readRequest(
  basePath: string,
  { method, target, headers, body }: WireRequest,
  connection: object,
): Parameters<ScenarioRun['handle']>[0] {
  const content = typeof body === 'string' ? Buffer.from(body) : body;
  const length =
    content === undefined || headers['transfer-encoding'] !== undefined
      ? {}
      : { 'content-length': `${content.length}` };
  return {
    method,
    target: basePath + target,
    headers: { host: 'service.example', ...headers, ...length },
    content,
    connection,
  };
}

function readResponse({ method }: WireRequest, response: MockResponse): WireResponse {
  const { status, headers, body } = response;
  const fields = pairsOf(headers).map(([name, value]) => [name.toLowerCase(), value]);
  return { status, headers: Object.fromEntries(fields), text: method === 'HEAD' ? '' : body };
}
