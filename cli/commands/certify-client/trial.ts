import type { Exchange } from '../../../conformance/index.ts';
import {
  type ClientLog,
  type RecordedScenario,
  type Scenario,
  type ScenarioRunner,
  explainUnmet,
} from '../../../client/index.ts';
import { type ChildEnd, type ChildOptions, runChild } from './child-command.ts';

export interface ClientTrial extends ChildEnd {
  readonly scenario: Scenario;
  readonly baseUrl: string;
  /** When the scenario was opened, milliseconds since 1970. */
  readonly openedAt: number;
  readonly exchanges: readonly Exchange[];
  /** What the client would have had to send for the scenario to happen; undefined: it happened. */
  readonly unmet: string | undefined;
}

export interface ClientTrialOptions extends ChildOptions {
  readonly port: number;
}

/** Throws `PetstoreError` for a command that cannot be started, the system's error for the port. */
export async function runTrial(
  scenarioRunner: ScenarioRunner,
  scenario: Scenario,
  { port, ...options }: ClientTrialOptions,
): Promise<ClientTrial> {
  await using opened = await scenarioRunner.open(scenario, port);
  const { baseUrl, key, openedAt, exchanges } = opened;
  const told = {
    PETSTORE_BASE_URL: baseUrl,
    PETSTORE_API_KEY: key,
    PETSTORE_SCENARIO: scenario.id,
  };
  const ended = await runChild({
    ...options,
    env: { ...options.env, ...told },
    signal: AbortSignal.any([options.signal, opened.full]),
  });
  const output = opened.redact(ended.output);
  const unmet = explainUnmet(scenario, exchanges);
  const end = endOf(ended, opened.full);
  return { ...ended, end, scenario, baseUrl, openedAt, exchanges, unmet, output };
}

/** Where the client sent more than is recorded, that ended it. */
function endOf({ end }: ChildEnd, full: AbortSignal): ChildEnd['end'] {
  return full.aborted && end.kind === 'aborted'
    ? { kind: 'killed', signal: `this program, after more than ${String(full.reason)}` }
    : end;
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
  const waiting = scenarios.values();
  const work = async (): Promise<void> => {
    for (const scenario of waiting) {
      if (signal.aborted) return;
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

/** The scenarios as they are written down, so that they can be played again. */
export function recordOf(trials: readonly ClientTrial[]): readonly RecordedScenario[] {
  return trials.map(({ scenario: { id, mustSucceed }, end, openedAt }) => ({
    id,
    mustSucceed,
    end,
    openedAt,
  }));
}

/** All exchanges, those of one scenario after those of another, numbered through. */
export function logOf(trials: readonly ClientTrial[]): ClientLog {
  const exchanges = trials.flatMap((trial) => trial.exchanges);
  return {
    source: 'scenarios',
    exchanges: exchanges.map((exchange, index) => ({ ...exchange, index })),
  };
}
