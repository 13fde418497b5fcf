import { describe, expect, test } from 'vitest';
import type { Contract } from '../contract/contract.ts';
import { parseJson } from '../contract/json/value.ts';
import type { Report, RunOptions } from '../conformance/index.ts';
import { openPayload } from '../test/certificate/forge.ts';
import { clientCommand, openClientCertifier } from '../test/cli/client-certificates.ts';
import { openMock, openService, type TestTarget } from '../test/cli/target.ts';
import { petstore } from '../test/contract/petstore.ts';
import { mutants } from '../selftest/index.ts';
import { judgeSubject } from '../selftest/trial.ts';
import { viewCauses } from './cause/causes.ts';
import {
  readJsonReport,
  renderHtml,
  renderJsonReport,
  renderJunit,
  renderMarkdown,
  renderText,
} from './index.ts';

const renderers = { renderHtml, renderJsonReport, renderJunit, renderMarkdown, renderText };

/** Each output says the same of a report and of what its file reads as, and counts requests from 1. */
function expectSame(report: Report, contract: Contract): void {
  const read = readJsonReport(parseJson(renderJsonReport(report, contract)), contract);
  for (const render of Object.values(renderers)) {
    expect(render(read, contract)).toBe(render(report, contract));
  }
  for (const render of [renderHtml, renderJunit, renderMarkdown, renderText]) {
    expect(
      render(report, contract).match(/.{0,40}\b(?:exchange \d|request 0[:,<)]).{0,20}/g),
    ).toBeNull();
  }
}

/** The causes that were seen so often as no number of their sentence says. */
function miscounted(report: Report, contract: Contract): readonly string[] {
  const { failed, advised } = viewCauses(report, contract);
  return [...failed, ...advised].flatMap(({ sentence, seen = '1 time' }) => {
    // What a header has to say may be a number of requests.
    const isCounted = /\d+ (?:\w+ )?(?:request|response)/.test(
      sentence.replace(/[.,:] [Ee]xpected .*/, ''),
    );
    const numbers = [...sentence.matchAll(/\b\d+\b/g)].map(([number]) => Number(number));
    return !isCounted || numbers.includes(Number.parseInt(seen, 10))
      ? []
      : [`${sentence} (${seen})`];
  });
}

const waiver = {
  requirement: 'createPet/status.201',
  reason: 'ticket 7',
  owner: 'ada',
  expires: '2026-12-31',
};

async function judgeServer(opening: Promise<TestTarget>, options: RunOptions): Promise<Report> {
  await using place = await opening;
  return await place.run(options);
}

/** The report on a client of the self-test, as its certificate has it. */
async function judgeClient(name: string): Promise<Report> {
  await using certifier = await openClientCertifier();
  const text = await certifier.certify(clientCommand(name));
  const payload = parseJson(JSON.stringify(openPayload(text)));
  return readJsonReport(payload, petstore);
}

describe('a report is the same after a round trip through its file', () => {
  test.for<[string, () => Promise<Report>]>([
    ['the mock', () => judgeServer(openMock(petstore, {}, 'demo-free'), { exhaust: true })],
    ['a service', () => judgeServer(openService(petstore), { fuzz: 60, seed: 7 })],
    [
      'a read-only run',
      () => judgeServer(openService(petstore), { readOnly: true, waivers: [waiver] }),
    ],
    ['a careful client', () => judgeClient('careful')],
    ['a naive client', () => judgeClient('naive')],
    ['a stubborn client', () => judgeClient('stubborn')],
  ])('%s', { timeout: 120_000 }, async ([, judge]) => {
    const report = await judge();
    expectSame(report, petstore);
    expect(miscounted(report, petstore)).toEqual([]);
  });

  /** One of this many, from all families. */
  const share = 7;
  const some = mutants.filter(
    ({ needs, hangs }, index) => index % share === 0 && needs !== 'more' && hangs === undefined,
  );

  test.for(some.map((mutant) => ({ id: mutant.id, mutant })))('$id', async ({ mutant }) => {
    const report = await judgeSubject(petstore, mutant, {
      seed: 1,
      requests: 60,
      exhaust: mutant.needs === 'exhaust',
      isOverNetwork: false,
    });
    expectSame(report, petstore);
    expect(miscounted(report, petstore)).toEqual([]);
  });
});
