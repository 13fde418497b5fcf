import { scenarios } from './load/scenario.ts';
import { renderTable } from './markdown-table.ts';
import type { LoadResult } from './measurement.ts';
import type { TargetName } from './server/target.ts';
import { median, medianRatio } from './figure/statistics.ts';

/** The mock on each runtime beside a bare handler of the same, and beside bare `node:http`. */
export function renderRuntimes(loads: readonly LoadResult[]): string {
  const rateOf = (name: TargetName, scenario: string): readonly number[] =>
    loads.find((load) => load.target === name && load.scenario === scenario)?.requestsPerSecond ??
    [];
  const names = [...new Set(loads.map(({ target }) => target))].filter(
    (name) => name !== 'floor' && !name.startsWith('bare '),
  );
  return renderTable(
    ['runtime and request', 'requests/s', 'to its bare handler', 'to bare node:http'],
    names.flatMap((name) =>
      scenarios.map(({ name: scenario }) => {
        const rate = rateOf(name, scenario);
        const floor = rateOf('floor', scenario);
        const bare = loads.find(({ target }) => target === `bare ${name}`);
        return [
          `${name === 'mock' ? 'node' : name}: ${scenario}`,
          median(rate).toFixed(0),
          medianRatio(rate, bare === undefined ? floor : rateOf(bare.target, scenario)).toFixed(2),
          medianRatio(rate, floor).toFixed(2),
        ];
      }),
    ),
  );
}
