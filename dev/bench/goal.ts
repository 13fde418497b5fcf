import type { Measurement } from './measurement.ts';
import { type ScenarioName, scenarios } from './load/scenario.ts';
import { medianRatio } from './figure/statistics.ts';
import type { TargetName } from './server/target.ts';

export interface Goal {
  readonly name: string;
  readonly wanted: string;
  readonly reached: string;
  /** The same by processor time a request, which other work disturbs less; empty for none. */
  readonly byCpu: string;
  readonly isMet: boolean;
}

const wantedRates: Readonly<Record<ScenarioName, number>> = {
  list: 0.85,
  get: 0.95,
  create: 0.75,
  'refused create': 0.85,
};

/** The goals, judged by a run. What could not be measured is not met. */
export function goalsOf(measurement: Measurement): readonly Goal[] {
  const { scales, starts } = measurement;
  const start = (figure: 'startMilliseconds' | 'idleBytes'): number =>
    medianRatio(...pick(starts, 'mock', 'floor', (result) => result[figure]));
  const [smallest, largest] = [scales[0], scales.at(-1)];
  const listCost =
    (largest?.listMicroseconds ?? Number.NaN) / (smallest?.listMicroseconds ?? Number.NaN);
  return [
    ...scenarios.map(({ name }) => rateGoal(measurement, name, 'floor', wantedRates[name], 2)),
    ...scenarios.map(({ name }) => rateGoal(measurement, name, 'fastify', 1, 2)),
    ...scenarios.map(({ name }) => rateGoal(measurement, name, 'hono', 1, 2)),
    ...scenarios.map(({ name }) => rateGoal(measurement, name, 'prism', 12, 1)),
    ...(['list', 'create'] as const).map((name) => proxyGoal(measurement, name)),
    atMost('start to the first response, to the floor', 1.6, start('startMilliseconds'), 2),
    atMost('memory at rest, to the floor', 1.4, start('idleBytes'), 2),
    atMost('list cost, largest to smallest inventory', 1.2, listCost, 2),
    atMost(
      'bytes a pet beyond its JSON text, largest inventory',
      200,
      largest?.bytesBeyondText ?? Number.NaN,
      0,
    ),
  ];
}

const titles: Readonly<Partial<Record<TargetName, string>>> = {
  floor: 'the floor',
  prism: 'Prism',
};

/** Requests a second of the mock to those of another server, in one scenario. */
function rateGoal(
  { loads }: Measurement,
  scenario: ScenarioName,
  base: TargetName,
  least: number,
  digits: number,
): Goal {
  const results = loads.filter((load) => load.scenario === scenario);
  const reached = medianRatio(...pick(results, 'mock', base, (load) => load.requestsPerSecond));
  const byCpu = medianRatio(...pick(results, base, 'mock', (load) => load.cpuMicroseconds));
  return {
    name: `${scenario}: requests/s to ${titles[base] ?? base}`,
    wanted: `at least ${least}`,
    reached: reached.toFixed(digits),
    byCpu: byCpu.toFixed(digits),
    isMet: reached >= least,
  };
}

/** Requests a second through `petstore proxy` to those through a bare proxy of undici. */
function proxyGoal({ proxies }: Measurement, scenario: ScenarioName): Goal {
  const results = proxies.filter((load) => load.scenario === scenario);
  const [one, base] = ['proxy', 'undici proxy'] as const;
  const reached = medianRatio(...pick(results, one, base, (load) => load.requestsPerSecond));
  const byCpu = medianRatio(...pick(results, base, one, (load) => load.cpuMicroseconds));
  return {
    name: `${scenario}: requests/s through the proxy to a bare undici proxy`,
    wanted: 'at least 0.5',
    reached: reached.toFixed(2),
    byCpu: byCpu.toFixed(2),
    isMet: reached >= 0.5,
  };
}

function atMost(name: string, most: number, value: number, digits: number): Goal {
  const reached = value.toFixed(digits);
  return { name, wanted: `at most ${most}`, reached, byCpu: '', isMet: value <= most };
}

/** A figure of each round, of one server and of another. */
function pick<T extends { readonly target: TargetName }>(
  results: readonly T[],
  one: TargetName,
  other: TargetName,
  figure: (result: T) => readonly number[],
): [readonly number[], readonly number[]] {
  const figuresOf = (name: TargetName): readonly number[] =>
    results.filter(({ target }) => target === name).flatMap(figure);
  return [figuresOf(one), figuresOf(other)];
}
