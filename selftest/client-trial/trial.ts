import {
  type ClientEnd,
  type ClientLog,
  type ClientRecord,
  type RecordedScenario,
  type Scenario,
  createScenarioRunner,
  isBadEnd,
  judgeClient,
  listScenarios,
  rejudge,
} from '../../client/index.ts';
import type { Contract } from '../../contract/contract.ts';
import type { Verdict } from '../../conformance/index.ts';
import { type Manner, createClient } from '../clients/client.ts';
import { createNetwork } from './simulated-network.ts';
import { createSimulatedTime } from './simulated-time.ts';

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
  const watched = { from: begin, to: begin + timeout };
  const record: ClientRecord = { subject: { name: '', plan, watched }, scenarios };
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
  const runner = createScenarioRunner(contract, plan, { clock });
  const { recorder, key, openedAt } = await runner.setUp(scenario);
  const random = createRandom(seed);
  const wire = createNetwork(recorder, time, random);
  const ended = createClient(habit)({ wire, key, random }).then(
    (): ClientEnd => ({ kind: 'exited', code: 0 }),
    (): ClientEnd => ({ kind: 'exited', code: 1 }),
  );
  const isEnded = await time.runUntil(ended, timeout);
  const end: ClientEnd = isEnded ? await ended : { kind: 'timeout' };
  const { id, mustSucceed } = scenario;
  return { exchanges: [...recorder.exchanges], record: { id, mustSucceed, end, openedAt } };
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
