import { median, medianRatio } from '../load/statistics.ts';
import { goalsOf } from './goal.ts';
import { scenarios } from './scenario.ts';
import type { Scale } from './fill.ts';
import type { LoadResult, StartResult } from './measure.ts';
import type { Measurement } from './run.ts';
import type { TargetName } from './target.ts';

/** A run as Markdown: first the goals, then the measurements. */
export function renderReport(measurement: Measurement): string {
  const { machine, loads, proxies, starts, scales } = measurement;
  return [
    `${machine}.\n`,
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
    renderScales(scales),
  ].join('\n');
}

function renderScales(scales: readonly Scale[]): string {
  return renderTable(
    ['pets', 'µs a list', 'bytes a pet beyond its JSON text'],
    scales.map(({ pets, listMicroseconds, bytesBeyondText }) => [
      pets.toLocaleString('en'),
      listMicroseconds.toFixed(1),
      bytesBeyondText.toFixed(0),
    ]),
  );
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

function renderStarts(starts: readonly StartResult[]): string {
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

/** A Markdown table (GitHub Flavored, section 4.10): a text column, then number columns. */
export function renderTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const rule = head.map((_, column) => (column === 0 ? '---' : '---:'));
  return [head, rule, ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** Puts a text between the two markers of a page. Throws if the page lacks them. */
export function replaceBetweenMarkers(page: string, text: string): string {
  const [start, end] = [page.indexOf(startMarker), page.indexOf(endMarker)];
  if (start < 0 || end < start) throw new Error(`The page needs ${startMarker} and ${endMarker}.`);
  return `${page.slice(0, start + startMarker.length)}\n\n${text}\n\n${page.slice(end)}`;
}

const startMarker = '<!-- bench:start -->';
const endMarker = '<!-- bench:end -->';
