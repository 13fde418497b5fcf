import { readFile } from 'node:fs/promises';
import { relative } from 'node:path';
import type { JsonTestResults } from 'vitest/node';

/** How many checks passed and were skipped, and which failed. */
export interface Tally {
  readonly passed: number;
  readonly skipped: number;
  /** One line for each failed test: its file, its name, and the first line of its message. */
  readonly failures: readonly string[];
}

export function addTallies(tallies: readonly Tally[]): Tally {
  return {
    passed: tallies.reduce((sum, { passed }) => sum + passed, 0),
    skipped: tallies.reduce((sum, { skipped }) => sum + skipped, 0),
    failures: tallies.flatMap(({ failures }) => failures),
  };
}

/** `12 passed, 1 failed`, and the number of skipped checks if there are any. */
export function renderTally({ passed, skipped, failures }: Tally): string {
  return `${passed} passed, ${failures.length} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

/**
 * Counts the tests in a JSON report of vitest. A file that could not run counts as one failure, and so does
 * a failed run without a failed test or a report.
 * @param exitCode exit code of vitest
 */
export async function readReportTally(path: string, exitCode: number): Promise<Tally> {
  const report = await readFile(path, 'utf8')
    .then((text): JsonTestResults => JSON.parse(text))
    .catch(() => undefined);
  if (report === undefined) return { passed: 0, skipped: 0, failures: ['vitest wrote no report'] };
  const failures: string[] = [];
  const addFailure = (file: string, test: string, message = ''): void =>
    void failures.push(`${relative('.', file)}: ${test}: ${message.split('\n', 1)[0]}`);
  for (const { name, status, message, assertionResults } of report.testResults) {
    const failed = assertionResults.filter((test) => test.status === 'failed');
    for (const { fullName, failureMessages } of failed)
      addFailure(name, fullName, failureMessages?.[0]);
    if (status === 'failed' && failed.length === 0) addFailure(name, 'could not be run', message);
  }
  if (failures.length === 0 && exitCode !== 0)
    failures.push(`vitest ended with exit code ${exitCode}, but reports no failed test`);
  const { numPassedTests, numPendingTests, numTodoTests } = report;
  return { passed: numPassedTests, skipped: numPendingTests + numTodoTests, failures };
}
