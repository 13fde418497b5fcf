import { describe, expect, test } from 'vitest';
import { createMovableClock, runConformance, type RunReport } from '../../conformance/index.ts';
import { hasCode } from '../../contract/error/petstore-error.ts';
import { parseJson } from '../../contract/json/value.ts';
import { petstore as contract } from '../../test/contract/petstore.ts';
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

/** Seconds of packing: measured by hand, at real size. */
const heavy = /bomb$|bomb-in-gzip|window|^list-of-(1000000|20000|40000)|^list-of-one-id|5000000/;

interface Trial {
  /** Undefined where the run says that it makes no sense to go on. */
  readonly report: RunReport | undefined;
  readonly message: string;
}

/**
 * Runs the suite against a target that is hostile from its nth success on.
 *
 * @param timeout milliseconds a response may take: few where silence is the point, many where every
 * response comes, so that a busy machine changes nothing
 */
async function tryKind(
  { spoil }: Kind,
  from: number,
  requests: number,
  timeout: number,
): Promise<Trial> {
  let successes = 0;
  const service = await listenHostile((message, request) => {
    const isSuccess = message.status < 300;
    if (isSuccess) successes += 1;
    return isSuccess && successes > from ? spoil(message, request) : renderWhole(message);
  });
  try {
    const target = { baseUrl: service.baseUrl, apiKey: 'service-enterprise' };
    const clock = createMovableClock();
    const report = await runConformance(contract, target, { requests, timeout, clock });
    return { report, message: '' };
  } catch (error) {
    if (hasCode(error, 'inconclusive')) return { report: undefined, message: error.message };
    throw error;
  } finally {
    await service.close();
  }
}

/** What is wrong with the files of a report: each has to be whole, and safe to be shown. */
function faultsOf(report: RunReport): readonly string[] {
  const files = new Map(renderReportFiles(report, contract).map(({ name, text }) => [name, text]));
  const read = readJsonReport(parseJson(files.get('report.json') ?? ''), contract);
  parseJson(files.get('exchanges.har') ?? '');
  const isSame =
    read.outcome === report.outcome && read.exchanges.length === report.exchanges.length;
  const raw = [...files].flatMap(([name, text]) =>
    // oxlint-disable-next-line no-control-regex
    !/json|har/.test(name) && /[\0\x07\x1b\x9b]/.test(text) ? [`${name} has control bytes`] : [],
  );
  return [...(isSame && files.size === 5 ? [] : ['report.json reads otherwise']), ...raw];
}

/** What a run came to, and what is wrong with what it tells. */
function tell({ report, message }: Trial): readonly [outcome: string, faults: readonly string[]] {
  if (report !== undefined) return [report.outcome, faultsOf(report)];
  return ['inconclusive', /^\S.*[.?)]$/s.test(message) ? [] : [message]];
}

describe('a hostile target', () => {
  test.for(hostileKinds.filter(({ id }) => !heavy.test(id)))(
    '$id is failed or inconclusive',
    { timeout: 300_000 },
    async (kind) => {
      const place = hostileKinds.indexOf(kind);
      const [outcome, faults] = tell(
        await tryKind(kind, place % 3, slow.test(kind.id) ? 6 : 16, 1000),
      );
      expect(outcome).toMatch(/^(failed|inconclusive)$/);
      expect(faults).toEqual([]);
    },
  );
});

describe('a target that is odd within the law', () => {
  test.for(oddKinds)('$id conforms', { timeout: 300_000 }, async (kind) => {
    const trial = await tryKind(kind, 0, 60, 60_000);
    const failed = trial.report?.verdicts.flatMap((each) =>
      each.kind === 'failed' ? [`${each.requirement.id}: ${each.failures[0]?.received}`] : [],
    );
    expect([failed, trial.message, ...tell(trial)]).toEqual([[], '', 'conforms', []]);
  });
});

test.for(doubtfulKinds)('$id: the run comes to its end', { timeout: 300_000 }, async (kind) => {
  const [, faults] = tell(await tryKind(kind, 1, 16, 1000));
  expect(faults).toEqual([]);
});

test('members such as __proto__ changed nothing but their own value', () => {
  expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
});
