import { describe, expect, test } from 'vitest';
import { addTallies, readReportTally, renderTally, tallyOf, tallyOfReport } from './tally.ts';

const reportOf = (...files: readonly (readonly [string, readonly string[]])[]): unknown => ({
  testResults: files.map(([status, tests]) => ({
    name: 'room/some.test.ts',
    status,
    message: 'cannot be imported',
    assertionResults: tests.map((one) => ({
      status: one,
      fullName: 'adds up',
      failureMessages: one === 'failed' ? ['expected 1 to be 2\n  at room/some.test.ts'] : [],
    })),
  })),
});

describe('the count of npm test', () => {
  test('adds up and reads as a plain line', () => {
    const sum = addTallies([
      tallyOf(true, 'lint'),
      tallyOf(false, 'format'),
      { passed: 4, failed: 0, skipped: 0, failures: [] },
    ]);
    expect(renderTally(sum)).toBe('5 passed, 1 failed');
    expect(sum.failures).toEqual(['format']);
    expect(renderTally(addTallies([sum, { passed: 0, failed: 0, skipped: 2, failures: [] }]))).toBe(
      '5 passed, 1 failed, 2 skipped',
    );
  });

  test('counts every test of a report', () => {
    const report = reportOf(
      ['passed', ['passed', 'skipped']],
      ['failed', ['failed', 'passed', 'todo']],
    );
    expect(tallyOfReport(report, 1)).toEqual({
      passed: 2,
      failed: 1,
      skipped: 2,
      failures: ['room/some.test.ts: adds up: expected 1 to be 2'],
    });
  });

  test('counts a file that could not be run as one failure', () => {
    expect(tallyOfReport(reportOf(['failed', []], ['passed', ['passed']]), 1)).toEqual({
      passed: 1,
      failed: 1,
      skipped: 0,
      failures: ['room/some.test.ts: could not be run: cannot be imported'],
    });
  });

  test('lets no failed run pass in silence', async () => {
    expect(tallyOfReport(reportOf(['passed', ['passed']]), 1).failed).toBe(1);
    expect(tallyOfReport(reportOf(), 1).failed).toBe(1);
    expect(tallyOfReport('garbage', 1).failed).toBe(1);
    expect((await readReportTally('no-such-report.json', 0)).failed).toBe(1);
  });
});
