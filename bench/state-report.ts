import { renderTable } from './markdown-table.ts';
import { median, medianRatio } from './figure/statistics.ts';
import type { StateResult } from './state/measurement.ts';

/** The setups as a table, each compared with one instance in memory. */
export function renderStates(results: readonly StateResult[]): string {
  const [floor] = results;
  if (floor === undefined) return '';
  return [
    '\n### State that outlives the process\n',
    `Additions: 16 under way, in a sandbox each, or by chance 4 each in 4 sandboxes; then one after another. Instances, client and the server of the state share all cores.\n`,
    renderTable(
      [
        'state',
        'instances',
        'routed',
        'requests/s',
        'to 1 in memory',
        'CPU µs a request',
        'ms, median',
        'added',
        'ms, p99',
        'added',
      ],
      results.map((result) => [
        result.state,
        `${result.instances}`,
        result.routing,
        median(result.requestsPerSecond).toFixed(0),
        medianRatio(result.requestsPerSecond, floor.requestsPerSecond).toFixed(2),
        median(result.cpuMicroseconds).toFixed(0),
        median(result.medianMilliseconds).toFixed(2),
        added(result.medianMilliseconds, floor.medianMilliseconds),
        median(result.p99Milliseconds).toFixed(2),
        added(result.p99Milliseconds, floor.p99Milliseconds),
      ]),
    ),
  ].join('\n');
}

function added(figures: readonly number[], base: readonly number[]): string {
  return (median(figures) - median(base)).toFixed(2);
}
