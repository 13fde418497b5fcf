import { renderReportFiles } from '../test/report/report-files.ts';
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { renderBadge, renderCertificatePage } from '../certificate/index.ts';
import {
  compareReports,
  type Outcome,
  type ReceivedResponse,
  runConformance,
  type RunReport,
  type Sender,
} from '../conformance/index.ts';
import { createStillClock } from '../test/conformance/still-clock.ts';
import { hasCode } from '../contract/error/petstore-error.ts';
import { parseJson } from '../contract/json/value.ts';
import { petstore } from '../test/contract/petstore.ts';
import { createMock } from '../mock/index.ts';
import { createMockSender } from '../selftest/generated/server.ts';
import {
  plainLayout,
  readJsonReport,
  renderAnnotations,
  renderBriefText,
  renderComparison,
  renderJsonComparison,
  renderText,
} from '../report/index.ts';
import { hostileTexts } from '../test/page/view/hostile.ts';
import { writeWhole } from './io/file.ts';
import { certify, createParty, verifyWith } from '../test/cli/certificates.ts';

/** Draws from a seed: a whole number below its argument. */
type Draw = (below: number) => number;

function createDraw(seed: number): Draw {
  let state = Math.imul(seed + 1, 0x9e3779b1) >>> 0;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const pick = <Value>(draw: Draw, values: readonly [Value, ...Value[]]): Value =>
  values[draw(values.length)] ?? values[0];

/** Values as JSON texts that code which reads values may not expect. */
const values: readonly [string, ...string[]] = [
  '340282356779733661637539395458142568448',
  '-340282356779733661637539395458142568447',
  `1${'0'.repeat(308)}`,
  `-${'9'.repeat(308)}`,
  '9'.repeat(400),
  '9007199254740993',
  '18446744073709551616',
  '-9223372036854775809',
  '1e308',
  '5e-324',
  '-0',
  '1.0000000000000000001',
  '1e400',
  'null',
  'true',
  '""',
  '[]',
  '{}',
  '{"__proto__":{"id":1},"constructor":null,"toString":1}',
  '[[[[[[[[[[1]]]]]]]]]]',
  `${'['.repeat(900)}${']'.repeat(900)}`,
  JSON.stringify('x'.repeat(70_000)),
  JSON.stringify('\u{1F600}\u202E'.repeat(500)),
  '"\\ud800"',
  '"2026-11-23T00:00:00+99:99"',
  '"NaN"',
  '"1"',
  ...hostileTexts.map((text) => JSON.stringify(text)),
];

const bodies: readonly [string, ...string[]] = [
  '',
  ' ',
  '{',
  'undefined',
  '[redacted]',
  '\uFEFF{}',
  '<html>',
  '{"a":1,"a":2}',
  `[${'{},'.repeat(2000)}{}]`,
  ...values,
];

const fields: readonly [string, ...string[]] = [
  '',
  '-1',
  '1e400',
  'Infinity',
  '99999999999999999999999999',
  '9'.repeat(400),
  '0x10',
  '1, 2',
  '٣',
  'Thu, 99 Foo 2026 99:99:99 GMT',
  '-271821-04-20T00:00:00Z',
  '8640000000000001',
  'text/html; charset="',
  ';;;',
  '\u00FF\u0080',
  'x'.repeat(5000),
];

const names: readonly [string, ...string[]] = [
  'Content-Type',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'Retry-After',
  'Date',
  'Location',
  'Content-Length',
  '__proto__',
  'constructor',
];

/** A body in which one value is another, of a text that may be no JSON. */
function replaceValue(draw: Draw, body: string): string {
  const places = [...body.matchAll(/(?<=[:[,])(?:-?\d+|"[^"]*"|null|true|false)(?=[,\]}])/g)];
  const place = places[draw(places.length)];
  if (place === undefined) return pick(draw, bodies);
  return (
    body.slice(0, place.index) + pick(draw, values) + body.slice(place.index + place[0].length)
  );
}

function harm(draw: Draw, response: ReceivedResponse): Outcome {
  const { status, headers, body } = response;
  switch (draw(5)) {
    case 0:
      return { kind: 'answered', response: { ...response, body: pick(draw, bodies) } };
    case 1: {
      const name = pick(draw, names);
      const others = headers.filter(([other]) => other.toLowerCase() !== name.toLowerCase());
      const added = Array.from({ length: 1 + draw(2) }, () => [name, pick(draw, fields)] as const);
      return { kind: 'answered', response: { ...response, headers: [...others, ...added] } };
    }
    case 2: {
      const other = pick(draw, [100, 101, 199, 204, 205, 299, 304, 399, 418, 429, 599, 600, 999]);
      return { kind: 'answered', response: { ...response, status: other } };
    }
    case 3:
      return {
        kind: 'no-response',
        error: {
          reason: pick(draw, ['timeout', 'cut', 'not-http', 'too-large', 'endless', 'undecodable']),
          message: pick(draw, ['x'.repeat(5000), ...hostileTexts]),
        },
      };
    default:
      return {
        kind: 'answered',
        response: { ...response, status, utf8: draw(9) > 0, body: replaceValue(draw, body) },
      };
  }
}

/** A target that keeps its contract but for some responses; `rarity`: of how many requests one. */
function harmSome(sender: Sender, draw: Draw, rarity: number): Sender {
  // A bug is mostly in one place: it comes again and again.
  const again = draw(2) === 0 ? draw(1 << 16) : undefined;
  return {
    send: async (request) => {
      const outcome = await sender.send(request);
      if (outcome.kind !== 'answered' || draw(rarity) > 0) return outcome;
      return harm(again === undefined ? draw : createDraw(again), outcome.response);
    },
    [Symbol.asyncDispose]: () => sender[Symbol.asyncDispose](),
  };
}

/** Undefined if the run is inconclusive with one sentence instead of a report. */
async function judge(seed: number): Promise<RunReport | undefined> {
  const draw = createDraw(seed);
  const clock = createStillClock();
  const mock = createMock(petstore, { clock });
  const sender = harmSome(createMockSender(mock), draw, pick(draw, [1, 2, 5, 20]));
  const target = { baseUrl: 'http://mock.test/v1', apiKey: mock.keys[0]?.key };
  const options = { clock, sender, seed, requests: 60, exhaust: seed % 4 === 0 };
  try {
    return await runConformance(petstore, target, { ...options, longestWait: 2 * 86_400_000 });
  } catch (error) {
    if (hasCode(error, 'inconclusive')) return undefined;
    throw error;
  }
}

const party = createParty();
const seeds = Array.from({ length: 40 }, (_, index) => index);

test.for(seeds)('whatever a target sends, every report is written: seed %d', async (seed) => {
  const report = await judge(seed);
  if (report === undefined) return;
  renderText(report, petstore, plainLayout, 'report.json');
  renderBriefText(report, petstore, { ...plainLayout, width: 40 }, undefined);
  renderAnnotations(report, petstore);
  const files = renderReportFiles(report, petstore);
  expect(files.filter(({ text }) => text === '')).toEqual([]);
  const json = files.find(({ name }) => name === 'report.json')?.text ?? '';
  const again = readJsonReport(parseJson(json), petstore);
  expect(again.counts).toEqual(report.counts);
  const comparison = compareReports(petstore, report, again);
  renderComparison(comparison, petstore, plainLayout);
  renderJsonComparison(comparison, petstore);
  const certificate = certify(petstore, report, party);
  expect(renderCertificatePage(certificate, petstore)).toContain('</html>');
  expect(renderBadge(certificate)).toContain('</svg>');
  const { findings } = await verifyWith(petstore, certificate.text);
  // No sender passes on bodies as deep as some here.
  const tooLarge = { kind: 'size', weight: 'unclear' };
  expect([[], [expect.objectContaining(tooLarge)]]).toContainEqual(findings);
});

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hostile-target-'));
});
afterAll(async () => await rm(folder, { recursive: true }));

test('a file that cannot be written leaves the previous one, and no empty one', async () => {
  const file = join(folder, 'report.json');
  const broken = function* (): Generator<string> {
    yield 'begun';
    throw new RangeError('never whole');
  };
  await expect(writeWhole(file, broken())).rejects.toThrow('never whole');
  expect(await readdir(folder)).toEqual([]);
  await writeFile(file, 'before');
  await expect(writeWhole(file, broken())).rejects.toThrow('never whole');
  expect([await readdir(folder), await readFile(file, 'utf8')]).toEqual([
    ['report.json'],
    'before',
  ]);
});
