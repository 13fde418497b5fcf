import { describe, expect, test } from 'vitest';
import { createMovableClock, runConformance, type RunReport } from '../../conformance/index.ts';
import { hasCode } from '../../contract/error/petstore-error.ts';
import { parseJson } from '../../contract/json/value.ts';
import { petstore as contract } from '../../test/contract/petstore.ts';
import { readJsonReport, renderReportFiles } from '../../report/index.ts';
import { doubtfulKinds, hostileKinds, oddKinds } from './kinds.ts';
import { listenHostile, renderWhole, type Spoil } from './target.ts';

/** Kinds whose responses take the whole time that a request has. */
const slow = /^(one-byte-chunks|reason-without-end)$/;

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
  spoil: Spoil,
  from: number,
  requests: number,
  timeout: number,
): Promise<Trial> {
  let successes = 0;
  const service = await listenHostile((message) => {
    const isSuccess = message.status < 300;
    if (isSuccess) successes += 1;
    return isSuccess && successes > from ? spoil(message) : renderWhole(message);
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
  const reread = readJsonReport(parseJson(files.get('report.json') ?? ''), contract);
  parseJson(files.get('exchanges.har') ?? '');
  const isSame =
    reread.outcome === report.outcome && reread.exchanges.length === report.exchanges.length;
  const raw = [...files].flatMap(([name, text]) =>
    // oxlint-disable-next-line no-control-regex
    !/json|har/.test(name) && /[\0\x07\x1b\x9b]/.test(text) ? [`${name} has control bytes`] : [],
  );
  return [...(isSame && files.size === 5 ? [] : ['report.json reads differently']), ...raw];
}

/** The outcome of a run, and what is wrong with its report. */
function read({ report, message }: Trial): readonly [outcome: string, faults: readonly string[]] {
  if (report !== undefined) return [report.outcome, faultsOf(report)];
  return ['inconclusive', /^\S.*[.?)]$/s.test(message) ? [] : [message]];
}

describe('a hostile target', () => {
  test.for(Object.entries(hostileKinds).map(([id, spoil], place) => ({ id, spoil, place })))(
    '$id is failed or inconclusive',
    { timeout: 300_000 },
    async ({ id, spoil, place }) => {
      const trial = await tryKind(spoil, place % 3, slow.test(id) ? 6 : 16, 1000);
      const [outcome, faults] = read(trial);
      expect(outcome).toMatch(/^(failed|inconclusive)$/);
      expect(faults).toEqual([]);
    },
  );
});

describe('a target that is unusual within the standards', () => {
  test.for(Object.entries(oddKinds))('%s conforms', { timeout: 300_000 }, async ([, spoil]) => {
    const trial = await tryKind(spoil, 0, 60, 60_000);
    const failed = trial.report?.verdicts.flatMap((each) =>
      each.kind === 'failed' ? [`${each.requirement.id}: ${each.failures[0]?.received}`] : [],
    );
    expect([failed, trial.message, ...read(trial)]).toEqual([[], '', 'conforms', []]);
  });
});

test.for(Object.entries(doubtfulKinds))(
  '%s: the run ends',
  { timeout: 300_000 },
  async ([, spoil]) => {
    const [, faults] = read(await tryKind(spoil, 1, 16, 1000));
    expect(faults).toEqual([]);
  },
);

test('members such as __proto__ changed nothing but their own value', () => {
  expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
});
