import { describe, expect, test } from 'vitest';
import { readClientRecord, rejudge } from '../client/index.ts';
import { type Contract, loadContract, parseJson } from '../contract/index.ts';
import { type Report, readExchanges, readRunRecord, rerun } from '../conformance/index.ts';
import { petstore } from '../test/contract/petstore.ts';
import { readBundledSeed } from '../cli/package/bundled.ts';
import { packageFile } from '../cli/package/package-root.ts';
import { mutants } from '../selftest/index.ts';
import { judgeSubject } from '../selftest/trial.ts';
import { loadLogs, type RecordedLog } from '../dev/record/recorded-log.ts';
import { recordedDocument } from '../dev/record/rules.ts';
import { viewCauses } from './cause/cause-view.ts';
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

/** The causes whose details add up to no number that their sentence has. */
function miscounted(report: Report, contract: Contract): readonly string[] {
  const { failed, advised } = viewCauses(report, contract);
  return [...failed, ...advised].flatMap(({ sentence = '', seen }) => {
    const times = seen.flatMap((line) => / (\d+) times?$/.exec(line)?.[1] ?? []);
    const sum = times.reduce((all, each) => all + Number(each), 0);
    const isCounted = /\d+ (?:\w+ )?(?:request|response)/.test(sentence);
    const numbers = [...sentence.matchAll(/\b\d+\b/g)].map(([number]) => Number(number));
    return times.length === 0 || !isCounted || numbers.includes(sum)
      ? []
      : [`${sentence} (${seen.join('; ')})`];
  });
}

const contract = await loadContract({ file: packageFile(recordedDocument) });
const inventory = await readBundledSeed();

/** What a recorded log comes to; undefined where it ends before its run does. */
async function judgeLog({
  kind,
  configuration,
  entries,
}: RecordedLog): Promise<Report | undefined> {
  const exchanges = readExchanges(entries);
  return kind === 'server'
    ? (await rerun(contract, readRunRecord(configuration), exchanges)).report
    : (await rejudge(contract, readClientRecord(configuration), exchanges, inventory)).report;
}

const judged = await Promise.all(
  (await loadLogs()).map(async (log) => ({ name: log.name, report: await judgeLog(log) })),
);

describe('a report and its file, read again, say the same', () => {
  test.for(judged)('$name', ({ report }) => {
    if (report === undefined) return;
    expectSame(report, contract);
    expect(miscounted(report, contract)).toEqual([]);
  });

  /** One of so many, from all families. */
  const share = 7;
  const some = mutants.filter(
    ({ needs, hangs }, index) => index % share === 0 && needs !== 'more' && hangs === undefined,
  );

  test.for(some.map((mutant) => ({ id: mutant.id, mutant })))('$id', async ({ mutant }) => {
    const fuzz = mutant.needs === 'fuzz' ? 40 : 0;
    const report = await judgeSubject(petstore, mutant, {
      seed: 1,
      requests: 60,
      exhaust: mutant.needs === 'exhaust',
      fuzz,
      isOverNetwork: false,
    });
    expectSame(report, petstore);
    expect(miscounted(report, petstore)).toEqual([]);
  });
});
