import { expect, test } from 'vitest';
import { goalsOf } from './goal.ts';
import { scenarios } from './scenario.ts';
import type { LoadResult, StartResult } from './measure.ts';
import { renderReport, renderTable, replaceBetweenMarkers } from './report.ts';
import type { Measurement } from './run.ts';
import type { TargetName } from './target.ts';

const loadsOf = (target: TargetName, requestsPerSecond: number[]): readonly LoadResult[] =>
  scenarios.map(({ name }) => ({
    target,
    scenario: name,
    requestsPerSecond,
    cpuMicroseconds: [20, 10, 30],
    clientShare: [0.5, 0.5, 0.5],
  }));

const startOf = (target: TargetName, start: number, idle: number): StartResult => ({
  target,
  startMilliseconds: [start],
  idleBytes: [idle],
});

const measurement: Measurement = {
  machine: '2026-01-02; Some processor, 2 cores',
  loads: [
    ...loadsOf('floor', [1000, 100, 1100]),
    ...loadsOf('mock', [900, 90, 990]),
    ...loadsOf('fastify', [600, 60, 660]),
    ...loadsOf('hono', [1000, 100, 1100]),
    ...loadsOf('prism', [50, 5, 55]),
  ],
  proxies: [...loadsOf('undici proxy', [1000, 100, 1100]), ...loadsOf('proxy', [600, 60, 660])],
  starts: [startOf('floor', 50, 40e6), startOf('mock', 110, 50e6)],
  scales: [
    { pets: 1000, listMicroseconds: 5, bytesBeyondText: 90 },
    { pets: 1_000_000, listMicroseconds: 5.5, bytesBeyondText: 250 },
  ],
};

const judged = new Map(
  goalsOf(measurement).map(({ name, reached, isMet }) => [name, [reached, isMet]]),
);

test.each([
  ['list: requests/s to the floor', '0.90', true],
  ['get: requests/s to the floor', '0.90', false],
  ['list: requests/s to fastify', '1.50', true],
  ['list: requests/s through the proxy to a bare undici proxy', '0.60', true],
  ['create: requests/s to hono', '0.90', false],
  ['create: requests/s to Prism', '18.0', true],
  ['start to the first response, to the floor', '2.20', false],
  ['memory at rest, to the floor', '1.25', true],
  ['list cost, largest to smallest inventory', '1.10', true],
  ['bytes a pet beyond its JSON text, largest inventory', '250', false],
])('%s is %s', (name, reached, isMet) => {
  expect(judged.get(name)).toEqual([reached, isMet]);
});

test('processor time is judged beside the rate', () => {
  const [list] = goalsOf({
    ...measurement,
    loads: measurement.loads.map((load) =>
      load.target === 'floor' ? { ...load, cpuMicroseconds: [10, 5, 15] } : load,
    ),
  });
  expect(list).toMatchObject({ byCpu: '0.50', reached: '0.90', isMet: true });
});

test('a floor without a measurement is not met', () => {
  const goals = goalsOf({
    ...measurement,
    loads: [],
    proxies: [],
    starts: [],
    scales: [],
  });
  expect(goals.filter(({ isMet }) => isMet)).toEqual([]);
});

test('a report names the machine and has a row for each server', () => {
  const report = renderReport(measurement);
  expect(report).toContain('2026-01-02; Some processor, 2 cores.\n');
  expect(report).toContain('| mock | 900 | 0.90 | 20.0 | 1.00 | 50 % |');
  expect(report).toContain('| mock | 110 | 2.20 | 50 | 1.25 |');
  expect(report).toContain('| 1,000,000 | 5.5 | 250 |');
});

test('a table has its rule and its rows', () => {
  expect(renderTable(['a', 'b'], [['x', '1']])).toBe('| a | b |\n| --- | ---: |\n| x | 1 |');
});

test('only the text between the markers is replaced', () => {
  const page = 'a\n<!-- bench:start -->\nold\n<!-- bench:end -->\nz\n';
  const changed = replaceBetweenMarkers(page, 'new');
  expect(changed).toBe('a\n<!-- bench:start -->\n\nnew\n\n<!-- bench:end -->\nz\n');
  expect(replaceBetweenMarkers(changed, 'new')).toBe(changed);
  expect(() => replaceBetweenMarkers('a', 'new')).toThrow('<!-- bench:start -->');
});
