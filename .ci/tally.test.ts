import { describe, expect, test } from 'vitest';
import { runStep } from './step.ts';
import { addTallies, renderTally, tallyOf } from './tally.ts';
import { tallyOfReport, tallyOfReportFile } from './vitest-report.ts';

const reportOf = (...files: readonly (readonly [string, readonly string[]])[]): unknown => ({
  testResults: files.map(([status, tests]) => ({
    status,
    assertionResults: tests.map((one) => ({ status: one })),
  })),
});

const countAsPassed = async (exitCode: number) => ({ passed: exitCode, failed: 0, skipped: 0 });

describe('the count of npm test', () => {
  test('adds up and reads as a plain line', () => {
    const sum = addTallies([tallyOf(true), tallyOf(false), { passed: 4, failed: 0, skipped: 0 }]);
    expect(renderTally(sum)).toBe('5 passed, 1 failed');
    expect(renderTally(addTallies([sum, { passed: 0, failed: 0, skipped: 2 }]))).toBe(
      '5 passed, 1 failed, 2 skipped',
    );
  });

  test('counts every test of a report', () => {
    const report = reportOf(
      ['passed', ['passed', 'skipped']],
      ['failed', ['failed', 'passed', 'todo']],
    );
    expect(tallyOfReport(report, 1)).toEqual({ passed: 2, failed: 1, skipped: 2 });
  });

  test('counts a file that could not be run as one failure', () => {
    expect(tallyOfReport(reportOf(['failed', []], ['passed', ['passed']]), 1)).toEqual({
      passed: 1,
      failed: 1,
      skipped: 0,
    });
  });

  test('lets no failed or empty run pass in silence', async () => {
    expect(tallyOfReport(reportOf(['passed', ['passed']]), 1).failed).toBe(1);
    expect(tallyOfReport(reportOf(), 0).failed).toBe(1);
    expect(tallyOfReport('garbage', 0).failed).toBe(1);
    expect((await tallyOfReportFile('no-such-report.json', 0)).failed).toBe(1);
  });
});

describe('a step', () => {
  test('passes on exit code 0 only', async () => {
    expect((await runStep({ name: 'good', command: 'node -e 0' })).tally).toEqual(tallyOf(true));
    expect((await runStep({ name: 'bad', command: 'node -e "process.exit(3)"' })).tally).toEqual(
      tallyOf(false),
    );
  });

  test('may be counted in its own way', async () => {
    expect(
      (await runStep({ name: 'own', command: 'node -e "process.exit(7)"', count: countAsPassed }))
        .tally.passed,
    ).toBe(7);
  });
});
