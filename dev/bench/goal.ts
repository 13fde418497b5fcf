import { medianRatio } from '../load/statistics.ts';
import type { LoadResult } from './measure.ts';
import type { Measurement } from './run.ts';
import type { TargetName } from './target.ts';

export interface Goal {
  readonly name: string;
  readonly wanted: string;
  readonly reached: string;
  /** The same by processor time per request, which other load disturbs less; empty for none. */
  readonly byCpu: string;
  readonly isMet: boolean;
}

/** The minimum ratio of requests per second in each scenario to another server, and its digits. */
const rates: readonly (readonly [
  base: TargetName,
  title: string,
  least: Readonly<Record<string, number>>,
  digits: number,
])[] = [
  ['floor', 'the floor', { list: 0.9, get: 0.97, create: 0.8, 'refused create': 0.92 }, 2],
  ['fastify', 'fastify', { list: 1, get: 1, create: 1, 'refused create': 1 }, 2],
  ['hono', 'hono', { list: 1, get: 1, create: 1, 'refused create': 1 }, 2],
  ['prism', 'Prism', { list: 12, get: 12, create: 12, 'refused create': 12 }, 1],
];

/** The goals, judged by a run. A goal that could not be measured is not met. */
export function goalsOf({ loads, proxies, starts, scales }: Measurement): readonly Goal[] {
  const goals: Goal[] = [];
  for (const [base, title, least, digits] of rates)
    for (const [scenario, wanted] of Object.entries(least)) {
      const name = `${scenario}: requests/s to ${title}`;
      const results = loads.filter((load) => load.scenario === scenario);
      goals.push(rateGoal(name, results, ['mock', base], wanted, digits));
    }
  for (const scenario of ['list', 'create']) {
    const name = `${scenario}: requests/s through the proxy to a bare undici proxy`;
    const results = proxies.filter((load) => load.scenario === scenario);
    goals.push(rateGoal(name, results, ['proxy', 'undici proxy'], 0.5, 2));
  }
  const start = (figure: 'startMilliseconds' | 'idleBytes'): number =>
    ratioOf(starts, ['mock', 'floor'], (result) => result[figure]);
  const [smallest, largest] = [scales[0], scales.at(-1)];
  const listCost = (largest?.listMicroseconds ?? Number.NaN) / (smallest?.listMicroseconds ?? 1);
  const petBytes = largest?.bytesBeyondText ?? Number.NaN;
  return [
    ...goals,
    atMost('start to the first response, to the floor', 1.6, start('startMilliseconds'), 2),
    atMost('memory at rest, to the floor', 1.4, start('idleBytes'), 2),
    atMost('list cost, largest to smallest inventory', 1.2, listCost, 2),
    atMost('bytes a pet beyond its JSON text, largest inventory', 200, petBytes, 0),
  ];
}

function rateGoal(
  name: string,
  results: readonly LoadResult[],
  [one, base]: readonly [TargetName, TargetName],
  least: number,
  digits: number,
): Goal {
  const reached = ratioOf(results, [one, base], (load) => load.requestsPerSecond);
  const byCpu = ratioOf(results, [base, one], (load) => load.cpuMicroseconds);
  return {
    name,
    wanted: `at least ${least}`,
    reached: reached.toFixed(digits),
    byCpu: byCpu.toFixed(digits),
    isMet: reached >= least,
  };
}

function atMost(name: string, most: number, value: number, digits: number): Goal {
  const reached = value.toFixed(digits);
  return { name, wanted: `at most ${most}`, reached, byCpu: '', isMet: value <= most };
}

/** The ratio of a figure of one server to another's: the median over all rounds. */
function ratioOf<Result extends { readonly target: TargetName }>(
  results: readonly Result[],
  [one, other]: readonly [TargetName, TargetName],
  figure: (result: Result) => readonly number[],
): number {
  const figuresOf = (name: TargetName): readonly number[] =>
    results.filter(({ target }) => target === name).flatMap(figure);
  return medianRatio(figuresOf(one), figuresOf(other));
}
