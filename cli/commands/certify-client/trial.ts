import type { Exchange } from '../../../conformance/index.ts';
import { explainUnmet, type OpenScenario, type Scenario } from '../../../client/index.ts';
import { type ChildEnd, type ChildOptions, runChild } from './child-command.ts';

/** A client's command that was run in a scenario. */
export interface ClientTrial extends ChildEnd {
  readonly scenario: Scenario;
  readonly baseUrl: string;
  /** When the scenario was opened, milliseconds since 1970. */
  readonly openedAt: number;
  readonly exchanges: readonly Exchange[];
  /** What the client would have had to send for the scenario to happen; undefined: it happened. */
  readonly unmet: string | undefined;
}

type Open = (scenario: Scenario) => Promise<OpenScenario>;

/** Throws `PetstoreError` for a command that cannot be started, the system's error for the port. */
async function runTrial(
  open: Open,
  scenario: Scenario,
  { env, signal, ...options }: ChildOptions,
): Promise<ClientTrial> {
  await using opened = await open(scenario);
  const { baseUrl } = opened;
  const { key, openedAt, exchanges, full, redact } = opened.run;
  const ended = await runChild({
    ...options,
    env: {
      ...env,
      PETSTORE_BASE_URL: baseUrl,
      PETSTORE_API_KEY: key,
      PETSTORE_SCENARIO: scenario.id,
    },
    signal: AbortSignal.any([signal, full]),
  });
  return {
    ...ended,
    // Where the client sent more than is recorded, that ended it.
    end:
      full.aborted && ended.end.kind === 'aborted'
        ? { kind: 'killed', signal: `this program, after more than ${String(full.reason)}` }
        : ended.end,
    output: redact(ended.output),
    scenario,
    baseUrl,
    openedAt,
    exchanges,
    unmet: explainUnmet(scenario, exchanges),
  };
}

/**
 * Runs the command in each scenario, so many at the same time; in the order of the scenarios. Once
 * one throws, no further one is begun and those that run are ended.
 */
export async function runTrials(
  open: Open,
  scenarios: readonly Scenario[],
  jobs: number,
  options: ChildOptions,
  onTrial: (trial: ClientTrial) => void,
): Promise<readonly ClientTrial[]> {
  const failed = new AbortController();
  const signal = AbortSignal.any([options.signal, failed.signal]);
  const trials = new Map<string, ClientTrial>();
  const waiting = scenarios.values();
  const work = async (): Promise<void> => {
    for (const scenario of waiting) {
      if (signal.aborted) return;
      const trial = await runTrial(open, scenario, { ...options, signal });
      trials.set(scenario.id, trial);
      if (!signal.aborted) onTrial(trial);
    }
  };
  const workers = Array.from({ length: Math.min(jobs, scenarios.length) }, work);
  await Promise.all(workers).catch(() => failed.abort());
  await Promise.allSettled(workers);
  await Promise.all(workers);
  return scenarios.flatMap(({ id }) => trials.get(id) ?? []);
}
