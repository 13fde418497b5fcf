import { describe, expect, test } from 'vitest';
import { addTallies, readReportTally, renderTally, tallyOf, tallyOfReport } from './tally.ts';

const reportOf = (...files: readonly (readonly [string, readonly string[]])[]): unknown => ({
  testResults: files.map(([status, tests]) => ({
    status,
    assertionResults: tests.map((one) => ({ status: one })),
  })),
});

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

  test('lets no failed run pass in silence', async () => {
    expect(tallyOfReport(reportOf(['passed', ['passed']]), 1).failed).toBe(1);
    expect(tallyOfReport(reportOf(), 1).failed).toBe(1);
    expect(tallyOfReport('garbage', 1).failed).toBe(1);
    expect((await readReportTally('no-such-report.json', 0)).failed).toBe(1);
  });
});
