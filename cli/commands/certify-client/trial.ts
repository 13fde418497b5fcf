import type { Exchange } from '../../../conformance/index.ts';
import {
  type ClientEnd,
  type ClientFacts,
  type ClientLog,
  type RecordedScenario,
  type Scenario,
  type ScenarioRunner,
  explainUnmet,
} from '../../../client/index.ts';
import { runChild } from './child-command.ts';
import type { CommandIo } from '../../io/command-io.ts';

export interface ClientTrial {
  readonly scenario: Scenario;
  readonly baseUrl: string;
  /** When the scenario was opened, milliseconds since 1970. */
  readonly openedAt: number;
  readonly end: ClientEnd;
  readonly exchanges: readonly Exchange[];
  /** What the client would have had to send for the scenario to happen; undefined: it happened. */
  readonly unmet: string | undefined;
  /** The last part of what the command printed. */
  readonly output: string;
  readonly milliseconds: number;
}

export interface ClientTrialOptions {
  readonly command: readonly string[];
  readonly env: CommandIo['env'];
  readonly port: number;
  readonly timeout: number;
  readonly signal: AbortSignal;
}

/** Throws `PetstoreError` for a command that cannot be started, the system's error for the port. */
export async function runTrial(
  scenarioRunner: ScenarioRunner,
  scenario: Scenario,
  { command, env, port, timeout, signal }: ClientTrialOptions,
): Promise<ClientTrial> {
  await using opened = await scenarioRunner.open(scenario, port);
  const { end, output, milliseconds } = await runChild({
    words: command,
    env: {
      ...env,
      PETSTORE_BASE_URL: opened.baseUrl,
      PETSTORE_API_KEY: opened.key,
      PETSTORE_SCENARIO: scenario.id,
    },
    timeout,
    signal,
  });
  return {
    scenario,
    baseUrl: opened.baseUrl,
    openedAt: opened.openedAt,
    end,
    exchanges: opened.exchanges,
    unmet: explainUnmet(scenario, opened.exchanges),
    output: opened.redact(output),
    milliseconds,
  };
}

/**
 * Runs the command in each scenario, so many at the same time; in the order of the scenarios. Once
 * one throws, no further one is begun and those that run are ended.
 */
export async function runTrials(
  scenarioRunner: ScenarioRunner,
  scenarios: readonly Scenario[],
  jobs: number,
  options: ClientTrialOptions,
  onTrial: (trial: ClientTrial) => void,
): Promise<readonly ClientTrial[]> {
  const stop = new AbortController();
  const signal = AbortSignal.any([options.signal, stop.signal]);
  const trials = new Map<string, ClientTrial>();
  const waiting = [...scenarios];
  const work = async (): Promise<void> => {
    for (
      let scenario = waiting.shift();
      scenario !== undefined && !signal.aborted;
      scenario = waiting.shift()
    ) {
      const trial = await runTrial(scenarioRunner, scenario, { ...options, signal });
      trials.set(scenario.id, trial);
      if (!signal.aborted) onTrial(trial);
    }
  };
  const workers = Array.from({ length: Math.min(jobs, scenarios.length) }, () =>
    work().catch((error: unknown) => {
      stop.abort();
      throw error;
    }),
  );
  await Promise.allSettled(workers);
  await Promise.all(workers);
  return scenarios.flatMap(({ id }) => trials.get(id) ?? []);
}

export function factsOf(trials: readonly ClientTrial[]): ClientFacts {
  return {
    scenarios: trials.map(({ scenario, end }) => ({
      id: scenario.id,
      mustSucceed: scenario.mustSucceed,
      end,
    })),
  };
}

/** The scenarios as they are written down, so that they can be played again. */
export function recordOf(trials: readonly ClientTrial[]): readonly RecordedScenario[] {
  return trials.map(({ scenario, end, openedAt }) => ({
    id: scenario.id,
    mustSucceed: scenario.mustSucceed,
    end,
    openedAt,
  }));
}

/** All exchanges, those of one scenario after those of another, numbered through. */
export function logOf(trials: readonly ClientTrial[]): ClientLog {
  return {
    source: 'scenarios',
    exchanges: trials
      .flatMap(({ exchanges }) => exchanges)
      .map((exchange, index) => ({ ...exchange, index })),
  };
}
