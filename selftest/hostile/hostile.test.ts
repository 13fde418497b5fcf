import { afterAll, describe, expect, test } from 'vitest';
import { createMovableClock, runConformance, type RunReport } from '../../conformance/index.ts';
import { hasCode, parseJson } from '../../contract/index.ts';
import { petstore as contract } from '../../contract/testing/petstore.ts';
import { readJsonReport, renderReportFiles } from '../../report/index.ts';
import {
  doubtfulKinds,
  hostileKinds,
  listenHostile,
  oddKinds,
  renderWhole,
  type Kind,
} from './index.ts';

/** Kinds whose responses take the whole time that a request has. */
const slow = /^(one-byte-chunks|chunk-extension-without-end|reason-without-end)$/;

/** Seconds of packing: measured by hand, at real size (docs/limits.md). */
const heavy = /bomb$|bomb-in-gzip|window|^list-of-(1000000|20000|40000)|^list-of-one-id|5000000/;

interface Trial {
  /** Undefined where the run says that it makes no sense to go on. */
  readonly report: RunReport | undefined;
  readonly message: string;
}

/** Runs the suite against a target that is hostile from its nth success on. */
async function tryKind({ spoil }: Kind, from: number, requests: number): Promise<Trial> {
  let successes = 0;
  const service = await listenHostile((message, request) => {
    const isSuccess = message.status < 300;
    if (isSuccess) successes += 1;
    return isSuccess && successes > from ? spoil(message, request) : renderWhole(message);
  });
  try {
    const target = { baseUrl: service.baseUrl, apiKey: 'service-enterprise' };
    const clock = createMovableClock();
    const report = await runConformance(contract, target, { requests, timeout: 1000, clock });
    return { report, message: '' };
  } catch (error) {
    if (hasCode(error, 'inconclusive')) return { report: undefined, message: error.message };
    throw error;
  } finally {
    await service.close();
  }
}

/** Every file of a report is written, can be read again, and those for people show no control character raw. */
function expectFiles(report: RunReport): void {
  const files = new Map(renderReportFiles(report, contract).map(({ name, text }) => [name, text]));
  expect(files.size).toBe(5);
  const { outcome, exchanges } = readJsonReport(
    parseJson(files.get('report.json') ?? ''),
    contract,
  );
  expect(outcome).toBe(report.outcome);
  expect(exchanges).toHaveLength(report.exchanges.length);
  parseJson(files.get('exchanges.har') ?? '');
  // oxlint-disable-next-line no-control-regex
  for (const [name, text] of files)
    if (!/json|har/.test(name)) expect(text).not.toMatch(/[\0\x07\x1b\x9b]/);
}

describe('a hostile target', () => {
  test.for(hostileKinds.filter(({ id }) => !heavy.test(id)))(
    '$id is failed or inconclusive',
    { timeout: 120_000 },
    async (kind) => {
      const place = hostileKinds.indexOf(kind);
      const { report, message } = await tryKind(kind, place % 3, slow.test(kind.id) ? 6 : 16);
      if (report === undefined) expect(message).toMatch(/^\S.*[.?)]$/s);
      else {
        expect(report.outcome).not.toBe('conforms');
        expectFiles(report);
      }
    },
  );
});

describe('a target that is odd within the law', () => {
  test.for(oddKinds)('$id conforms', { timeout: 120_000 }, async (kind) => {
    const { report, message } = await tryKind(kind, 0, 60);
    const failed = report?.verdicts.flatMap((each) =>
      each.kind === 'failed' ? [`${each.requirement.id}: ${each.failures[0]?.received}`] : [],
    );
    expect([report?.outcome, failed, message]).toEqual(['conforms', [], '']);
    if (report !== undefined) expectFiles(report);
  });
});

test.for(doubtfulKinds)('$id: the run comes to its end', { timeout: 120_000 }, async (kind) => {
  const { report, message } = await tryKind(kind, 1, 16);
  if (report === undefined) expect(message).not.toBe('');
  else expectFiles(report);
});

afterAll(() => {
  expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
});
