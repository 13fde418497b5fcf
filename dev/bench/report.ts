import { goalsOf } from './goal.ts';
import { renderTable } from './markdown-table.ts';
import type { LoadResult, Machine, Measurement, ServerResult } from './measurement.ts';
import { scenarios } from './load/scenario.ts';
import type { TargetName } from './server/target.ts';
import { median, medianRatio } from './figure/statistics.ts';

/** A run as Markdown: the goals first, then what they were read from. */
export function renderReport(measurement: Measurement): string {
  const { machine, loads, proxies, starts, scales } = measurement;
  return [
    renderMachine(machine),
    '### Goals\n',
    renderTable(
      ['goal', 'wanted', 'reached', 'by CPU time', 'met'],
      goalsOf(measurement).map((goal) => {
        const { name, wanted, reached, byCpu, isMet } = goal;
        return [name, wanted, reached, byCpu, isMet ? 'yes' : 'no'];
      }),
    ),
    ...scenarios.flatMap(({ name }) => [
      `\n### ${name}\n`,
      renderLoads(loads.filter(({ scenario }) => scenario === name)),
    ]),
    ...Map.groupBy(proxies, ({ scenario }) => scenario)
      .entries()
      .flatMap(([name, some]) => [
        `\n### ${name}, through a proxy\n`,
        renderLoads(some, 'undici proxy'),
      ]),
    '\n### Start and memory at rest\n',
    renderStarts(starts),
    '\n### List of 20 by size of the inventory, in process\n',
    renderTable(
      ['pets', 'µs a list', 'bytes a pet beyond its JSON text'],
      scales.map(({ pets, listMicroseconds, bytesBeyondText }) => [
        pets.toLocaleString('en'),
        listMicroseconds.toFixed(1),
        bytesBeyondText.toFixed(0),
      ]),
    ),
  ].join('\n');
}

function renderMachine(machine: Machine): string {
  const { date, processor, cores, memoryBytes, isPinned, loadBefore, versions } = machine;
  const pinned = isPinned
    ? 'servers on one core, the client on another'
    : 'servers and client not pinned to cores';
  return `${date}; ${processor}, ${cores} cores, ${(memoryBytes / 2 ** 30).toFixed(0)} GiB; ${pinned}; load average before: ${loadBefore.toFixed(1)}; ${versions.join(', ')}.\n`;
}

function renderLoads(loads: readonly LoadResult[], base: TargetName = 'floor'): string {
  const floor = loads.find(({ target }) => target === base);
  const name = base === 'floor' ? 'the floor' : base;
  return renderTable(
    ['server', 'requests/s', `to ${name}`, 'CPU µs a request', `CPU to ${name}`, 'client busy'],
    loads.map(({ target, requestsPerSecond, cpuMicroseconds, clientShare }) => [
      target,
      median(requestsPerSecond).toFixed(0),
      medianRatio(requestsPerSecond, floor?.requestsPerSecond ?? []).toFixed(2),
      median(cpuMicroseconds).toFixed(1),
      medianRatio(cpuMicroseconds, floor?.cpuMicroseconds ?? []).toFixed(2),
      `${(100 * median(clientShare)).toFixed(0)} %`,
    ]),
  );
}

function renderStarts(starts: readonly ServerResult[]): string {
  const floor = starts.find(({ target }) => target === 'floor');
  return renderTable(
    ['server', 'ms to the first 200', 'to the floor', 'MB at rest', 'to the floor'],
    starts.map(({ target, startMilliseconds, idleBytes }) => [
      target,
      median(startMilliseconds).toFixed(0),
      medianRatio(startMilliseconds, floor?.startMilliseconds ?? []).toFixed(2),
      (median(idleBytes) / 1e6).toFixed(0),
      medianRatio(idleBytes, floor?.idleBytes ?? []).toFixed(2),
    ]),
  );
}
