import { scenarios } from './load/scenario.ts';
import { renderTable } from './markdown-table.ts';
import type { LoadResult } from './measurement.ts';
import type { TargetName } from './server/target.ts';
import { median, medianRatio } from './figure/statistics.ts';

/** The mock on each runtime beside a bare handler of the same, and beside bare `node:http`. */
export function renderRuntimes(loads: readonly LoadResult[]): string {
  const names = [...new Set(loads.map(({ target }) => target))].filter(
    (name) => name !== 'floor' && !name.startsWith('bare '),
  );
  return renderTable(
    [
      'runtime and request',
      'requests/s',
      'to its bare handler',
      'to bare node:http',
      'CPU µs a request',
      'CPU to its bare handler',
    ],
    names.flatMap((name) =>
      scenarios.map(({ name: scenario }) => {
        const find = (wanted: TargetName) =>
          loads.find((load) => load.target === wanted && load.scenario === scenario);
        const [own, floor] = [find(name), find('floor')];
        const bare = loads.find(({ target }) => target === `bare ${name}`);
        return renderRow(name, own, bare === undefined ? floor : find(bare.target), floor);
      }),
    ),
  );
}

/** What could not be measured has no number. */
function renderRow(
  name: TargetName,
  own: LoadResult | undefined,
  bare: LoadResult | undefined,
  floor: LoadResult | undefined,
): readonly string[] {
  const { requestsPerSecond: rate = [], cpuMicroseconds: cpu = [] } = own ?? {};
  return [
    `${name === 'mock' ? 'node' : name}: ${own?.scenario}`,
    median(rate).toFixed(0),
    medianRatio(rate, bare?.requestsPerSecond ?? []).toFixed(2),
    medianRatio(rate, floor?.requestsPerSecond ?? []).toFixed(2),
    median(cpu).toFixed(1),
    medianRatio(cpu, bare?.cpuMicroseconds ?? []).toFixed(2),
  ];
}
