import { loadChosenContract } from '../cli/package/bundled.ts';
import {
  type ClientEnd,
  type ClientLog,
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
import type { Verdict } from '../conformance/index.ts';
import type { Contract } from '../contract/contract.ts';
import type { MockResponse } from '../mock/index.ts';
import {
  type Manner,
  createClient,
  type Wire,
  type WireRequest,
  type WireResponse,
} from './clients/client.ts';
import { type ClientMutant, clientMutants } from './clients/mutants.ts';
import { clientVariants } from './clients/variants.ts';

/**
 * Runs the rules against every mutant and every valid variant of a client, in simulated time, and
 * prints what they came to; true if all mutants were caught and no variant failed.
 */
export async function selftestClients(
  { seeds, only }: { readonly seeds: number; readonly only: string },
  write: (line: string) => void,
): Promise<boolean> {
  const contract = await loadChosenContract(undefined);
  const mutants = clientMutants.filter(({ id }) => id.includes(only));
  const variants = Object.entries(clientVariants).filter(([id]) => id.includes(only));
  const problems: string[] = [];
  for (let seed = 1; seed <= seeds; seed += 1) {
    for (const mutant of mutants) {
      const found = judgeMutant(mutant, await tryClient(contract, mutant.habit, seed));
      problems.push(...found.map((each) => `${each} (seed ${seed})`));
    }
    for (const [id, way] of variants) {
      const found = explainAlarm(await tryClient(contract, way, seed));
      if (found.length > 0) problems.push(`FALSE ALARM  ${id}: ${found.join(', ')} (seed ${seed})`);
    }
  }
  const count = (kind: string): number => problems.filter((each) => each.startsWith(kind)).length;
  const runs = mutants.length * seeds;
  for (const problem of problems) write(problem);
  write(`Mutants of clients: ${runs - count('MISSED')} of ${runs} caught by their own rule.`);
  write(`Valid clients: ${count('FALSE ALARM')} false alarms in ${variants.length * seeds} runs.`);
  return mutants.length + variants.length > 0 && problems.length === 0;
}

/** What is wrong with the verdicts on a mutant. */
export function judgeMutant(
  { id, breaks, also }: ClientMutant,
  { failed }: Pick<ClientTrial, 'failed'>,
): readonly string[] {
  const unrelated = failed.filter((rule) => rule !== breaks && !also.includes(rule));
  const missed = failed.includes(breaks) ? [] : [`MISSED       ${id}: ${breaks} was not failed`];
  const loud = unrelated.length === 0 ? [] : [`UNRELATED    ${id}: also ${unrelated.join(', ')}`];
  return [...missed, ...loud];
}

/** Why a valid client is not certified: what it failed, and where it did not do its work. */
export function explainAlarm({
  failed,
  badEnds,
}: Pick<ClientTrial, 'failed' | 'badEnds'>): readonly string[] {
  return [...failed, ...badEnds.map((id) => `no good end in ${id}`)];
}

/** What a client came to in all scenarios. */
export interface ClientTrial {
  readonly verdicts: readonly Verdict[];
  /** Rules that it failed, advice included, without `client/`. */
  readonly failed: readonly string[];
  /** Scenarios in which it had to succeed and did not. */
  readonly badEnds: readonly string[];
  readonly requests: number;
  /** Played again as a certificate is: what does not come out the same. */
  readonly verify: () => Promise<readonly string[]>;
}

/** When every trial begins: a whole second, in the middle of a minute. */
const begin = Date.parse('2026-06-01T12:00:20.000Z');

/** Milliseconds of simulated time that a client has for a scenario. */
const timeout = 300_000;

const plan = 'Free';

/** Runs a careful client with a habit in every scenario, in no real time. The same seed gives the same trial. */
export async function tryClient(
  contract: Contract,
  habit: Partial<Manner>,
  seed: number,
): Promise<ClientTrial> {
  const played = [];
  for (const [at, scenario] of listScenarios(contract).entries())
    played.push(await play(contract, habit, scenario, seed * 1000 + at));
  const exchanges = played.flatMap((each) => each.exchanges);
  const log: ClientLog = {
    source: 'scenarios',
    exchanges: exchanges.map((exchange, index) => ({ ...exchange, index })),
  };
  const scenarios = played.map((each) => each.record);
  const verdicts = judgeClient(contract, log, { scenarios });
  const record: ClientRecord = { name: '', plan, from: begin, to: begin + timeout, scenarios };
  return {
    verdicts,
    failed: verdicts
      .filter(({ kind }) => kind === 'failed')
      .map(({ requirement }) => requirement.id.replace('client/', '')),
    badEnds: scenarios.filter(isBadEnd).map(({ id }) => id),
    requests: exchanges.length,
    verify: async () => {
      const { departures } = await rejudge(contract, record, log.exchanges);
      return departures.map(({ sentence }) => sentence);
    },
  };
}

async function play(
  contract: Contract,
  habit: Partial<Manner>,
  scenario: Scenario,
  seed: number,
): Promise<Pick<ClientLog, 'exchanges'> & { readonly record: RecordedScenario }> {
  const time = createSimulatedTime(begin);
  const clock = {
    now: () => Math.floor(time.now()),
    sleep: (milliseconds: number) => time.sleep(milliseconds),
  };
  const run = await setUpScenario(contract, plan, scenario, { clock });
  const random = createRandom(seed);
  const wire = createNetwork(run, time, random);
  const ended = createClient(habit)({ wire, key: run.key, random }).then(
    (): ClientEnd => ({ kind: 'exited', code: 0 }),
    (): ClientEnd => ({ kind: 'exited', code: 1 }),
  );
  const isEnded = await time.runUntil(ended, timeout);
  const end: ClientEnd = isEnded ? await ended : { kind: 'timeout' };
  const { id, mustSucceed } = scenario;
  const { exchanges, openedAt } = run;
  return { exchanges, record: { id, mustSucceed, end, openedAt } };
}

/** Numbers from 0 to 1 (mulberry32): the same seed gives the same ones. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** A time that waits while anything is done, and then moves to what is next. */
interface SimulatedTime {
  /** Milliseconds since 1970, with fractions. */
  now(): number;
  sleep(milliseconds: number): Promise<void>;
  /** Lets the time go until a promise is settled; false if that takes longer than so long. */
  runUntil(settled: Promise<unknown>, milliseconds: number): Promise<boolean>;
}

interface Timer {
  readonly at: number;
  readonly resolve: () => void;
}

/** Creates a time that begins at an instant. */
function createSimulatedTime(begin: number): SimulatedTime {
  let now = begin;
  let timers: readonly Timer[] = [];
  return {
    now: () => now,
    sleep(milliseconds) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const at = now + Math.max(0, milliseconds);
      const index = timers.findIndex((timer) => timer.at > at);
      timers = timers.toSpliced(index === -1 ? timers.length : index, 0, { at, resolve });
      return promise;
    },
    async runUntil(settled, milliseconds) {
      const end = now + milliseconds;
      let isSettled = false;
      const settle = (): void => void (isSettled = true);
      settled.then(settle, settle);
      for (;;) {
        // Everything that waits for no time is done before the time goes on.
        await new Promise((resolve) => void setImmediate(resolve));
        if (isSettled) return true;
        const [next, ...others] = timers;
        if (next === undefined || next.at > end) return false;
        [now, timers] = [next.at, others];
        next.resolve();
      }
    },
  };
}

/** Milliseconds until a connection is open, or closed, as long for each: the order stays. */
const opening = 0.1;

interface Connection {
  isFree: boolean;
  isOpen: boolean;
}

/**
 * A network between one client and the mock of a scenario. What goes one way takes a part of a
 * millisecond, by chance.
 */
function createNetwork(run: ScenarioRun, time: SimulatedTime, random: () => number): Wire {
  const connections: Connection[] = [];
  const travel = (): Promise<void> => time.sleep(0.1 + random() * 0.6);
  const connect = async (): Promise<Connection> => {
    const connection = { isFree: false, isOpen: true };
    connections.push(connection);
    await time.sleep(opening);
    run.connections.opened(connection);
    await travel();
    return connection;
  };
  const close = (connection: Connection): void => {
    if (!connection.isOpen) return;
    connection.isOpen = false;
    void time.sleep(opening).then(() => run.connections.closed(connection));
  };
  const take = (): Promise<Connection> | Connection => {
    const free = connections.find(({ isFree, isOpen }) => isFree && isOpen);
    if (free === undefined) return connect();
    free.isFree = false;
    return free;
  };
  const exchange = async (request: WireRequest, connection: Connection): Promise<WireResponse> => {
    await travel();
    const response = run.handle(readRequest(run.contract.basePath, request, connection));
    await time.sleep(response.delivery?.delay ?? 0);
    await travel();
    if (response.delivery?.end === 'reset') connection.isOpen = false;
    if (response.delivery?.end === 'silence') await time.sleep(Infinity);
    if (!connection.isOpen) throw new Error('The connection was closed.');
    return readResponse(request, response);
  };
  return {
    now: () => time.now(),
    sleep: (milliseconds) => time.sleep(milliseconds),
    async send(request) {
      const connection = await (request.hasOwnConnection ? connect() : take());
      if (request.timeout !== undefined)
        void time.sleep(request.timeout).then(() => {
          if (!connection.isFree) close(connection);
        });
      const answer = exchange(request, connection);
      const gone = request.timeout === undefined ? [] : [expire(time, request.timeout)];
      const response = await Promise.race([answer, ...gone]);
      if (request.hasOwnConnection) close(connection);
      connection.isFree = true;
      return response;
    },
  };
}

async function expire(time: SimulatedTime, milliseconds: number): Promise<never> {
  await time.sleep(milliseconds);
  throw new Error('The client gave up.');
}

function readRequest(
  basePath: string,
  { method, target, headers, body }: WireRequest,
  connection: Connection,
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
  const pairs = Array.from({ length: headers.length / 2 }, (_, at): [string, string] => [
    headers[2 * at]?.toLowerCase() ?? '',
    headers[2 * at + 1] ?? '',
  ]);
  return { status, headers: Object.fromEntries(pairs), text: method === 'HEAD' ? '' : body };
}
