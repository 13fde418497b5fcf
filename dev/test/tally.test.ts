import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Tally, addTallies, readReportTally, renderTally } from './tally.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tally-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});

/** The tally of a report on files, each with its status and those of its tests. */
const tallyOf = async (
  exitCode: number,
  ...files: readonly (readonly [string, readonly string[]])[]
): Promise<Tally> => {
  const tests = files.flatMap(([, statuses]) => statuses);
  const count = (wanted: string): number => tests.filter((status) => status === wanted).length;
  const report = {
    numPassedTests: count('passed'),
    numPendingTests: count('skipped'),
    numTodoTests: count('todo'),
    testResults: files.map(([status, statuses]) => ({
      name: 'room/some.test.ts',
      status,
      message: 'cannot be imported',
      assertionResults: statuses.map((one) => ({
        status: one,
        fullName: 'adds up',
        failureMessages: one === 'failed' ? ['expected 1 to be 2\n  at room/some.test.ts'] : [],
      })),
    })),
  };
  const path = join(folder, 'report.json');
  await writeFile(path, JSON.stringify(report));
  return await readReportTally(path, exitCode);
};

test('the counts add up and are printed as a plain line', () => {
  const sum = addTallies([
    { passed: 1, skipped: 0, failures: [] },
    { passed: 4, skipped: 0, failures: ['format'] },
  ]);
  expect(renderTally(sum)).toBe('5 passed, 1 failed');
  expect(renderTally(addTallies([sum, { passed: 0, skipped: 2, failures: [] }]))).toBe(
    '5 passed, 1 failed, 2 skipped',
  );
});

test('every test of a report is counted', async () => {
  const tally = await tallyOf(
    1,
    ['passed', ['passed', 'skipped']],
    ['failed', ['failed', 'passed', 'todo']],
  );
  const failures = ['room/some.test.ts: adds up: expected 1 to be 2'];
  expect(tally).toEqual({ passed: 2, skipped: 2, failures });
});

test('a test file that could not run counts as one failure', async () => {
  const tally = await tallyOf(1, ['failed', []], ['passed', ['passed']]);
  const failures = ['room/some.test.ts: could not be run: cannot be imported'];
  expect(tally).toEqual({ passed: 1, skipped: 0, failures });
});

test('no failed run passes silently', async () => {
  expect((await tallyOf(1, ['passed', ['passed']])).failures).toHaveLength(1);
  expect((await tallyOf(1)).failures).toHaveLength(1);
  expect((await readReportTally('no-such-report.json', 0)).failures).toHaveLength(1);
});
