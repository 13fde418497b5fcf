import type { Measurement } from './measurement.ts';
import { type ScenarioName, scenarios } from './load/scenario.ts';
import { medianRatio } from './statistics.ts';
import type { TargetName } from './server/target.ts';

/** A goal of the project, and how far it was reached. */
export interface Goal {
  readonly name: string;
  readonly wanted: string;
  readonly reached: string;
  /**
   * The same by processor time a request, which other work on the machine disturbs less; empty
   * where there is none.
   */
  readonly byCpu: string;
  readonly isMet: boolean;
}

const wantedRates: Readonly<Record<ScenarioName, number>> = {
  list: 0.85,
  get: 0.95,
  create: 0.7,
  'refused create': 0.8,
};

/** The goals, judged by a run. What could not be measured is not met. */
export function goalsOf(measurement: Measurement): readonly Goal[] {
  const { dependencyBytes, scales } = measurement;
  const listCosts = scales.map(({ listMicroseconds }) => listMicroseconds);
  return [
    ...scenarios.map(({ name }) => ({
      ...atLeast(
        `${name}: requests/s to the floor`,
        wantedRates[name],
        rateRatio(measurement, name, 'floor'),
        2,
      ),
      byCpu: cpuRatio(measurement, name, 'floor').toFixed(2),
    })),
    ...scenarios.map(({ name }) => ({
      ...atLeast(`${name}: requests/s to Prism`, 12, rateRatio(measurement, name, 'prism'), 1),
      byCpu: cpuRatio(measurement, name, 'prism').toFixed(1),
    })),
    atMost(
      'start to the first response, to the floor',
      2,
      startRatio(measurement, 'startMilliseconds'),
      2,
    ),
    atMost('memory at rest, to the floor', 1.4, startRatio(measurement, 'idleBytes'), 2),
    atMost('production dependencies, MB', 10, dependencyBytes / 1e6, 1),
    atMost(
      'list cost, largest to smallest inventory',
      1.2,
      (listCosts.at(-1) ?? Number.NaN) / (listCosts[0] ?? Number.NaN),
      2,
    ),
    atMost(
      'bytes a pet beyond its JSON text, largest inventory',
      200,
      scales.at(-1)?.bytesBeyondText ?? Number.NaN,
      0,
    ),
  ];
}

function atLeast(name: string, least: number, reached: number, digits: number): Goal {
  return {
    name,
    wanted: `at least ${least}`,
    reached: reached.toFixed(digits),
    byCpu: '',
    isMet: reached >= least,
  };
}

function atMost(name: string, most: number, reached: number, digits: number): Goal {
  return {
    name,
    wanted: `at most ${most}`,
    reached: reached.toFixed(digits),
    byCpu: '',
    isMet: reached <= most,
  };
}

function rateRatio({ loads }: Measurement, scenario: ScenarioName, base: TargetName): number {
  const ratesOf = (name: TargetName): readonly number[] =>
    loads.find((load) => load.scenario === scenario && load.target === name)?.requestsPerSecond ??
    [];
  return medianRatio(ratesOf('mock'), ratesOf(base));
}

/** Above 1 where the mock takes less time than the other. */
function cpuRatio({ loads }: Measurement, scenario: ScenarioName, base: TargetName): number {
  const timesOf = (name: TargetName): readonly number[] =>
    loads.find((load) => load.scenario === scenario && load.target === name)?.cpuMicroseconds ?? [];
  return medianRatio(timesOf(base), timesOf('mock'));
}

function startRatio({ starts }: Measurement, figure: 'startMilliseconds' | 'idleBytes'): number {
  const figuresOf = (name: TargetName): readonly number[] =>
    starts.find(({ target }) => target === name)?.[figure] ?? [];
  return medianRatio(figuresOf('mock'), figuresOf('floor'));
}
