import { readFile } from 'node:fs/promises';
import { memberOf } from '../check/manifest.ts';

/** How many checks passed, failed and were skipped. */
export interface Tally {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

export function addTallies(tallies: readonly Tally[]): Tally {
  return {
    passed: tallies.reduce((sum, { passed }) => sum + passed, 0),
    failed: tallies.reduce((sum, { failed }) => sum + failed, 0),
    skipped: tallies.reduce((sum, { skipped }) => sum + skipped, 0),
  };
}

export function tallyOf(passed: boolean): Tally {
  return { passed: passed ? 1 : 0, failed: passed ? 0 : 1, skipped: 0 };
}

/** `12 passed, 1 failed`, and the number of skipped checks if there are any. */
export function renderTally({ passed, failed, skipped }: Tally): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

/**
 * Counts the tests in a JSON report of vitest. A file that could not be run counts as one failure,
 * and so does a run that failed without a failed test. A run without any test fails unless vitest
 * accepts that, as it does with `--passWithNoTests`.
 *
 * @param exitCode what vitest exited with
 */
export function tallyOfReport(report: unknown, exitCode: number): Tally {
  const files = listMembers(report, 'testResults').map((file) => ({
    status: memberOf(file, 'status'),
    tests: listMembers(file, 'assertionResults').map((test) => memberOf(test, 'status')),
  }));
  const count = (...wanted: readonly unknown[]): number =>
    files.flatMap(({ tests }) => tests).filter((status) => wanted.includes(status)).length;
  const brokenFiles = files.filter(
    ({ status, tests }) => status === 'failed' && !tests.includes('failed'),
  );
  const failed = count('failed') + brokenFiles.length;
  return {
    passed: count('passed'),
    failed: failed === 0 && exitCode !== 0 ? 1 : failed,
    skipped: count('pending', 'skipped', 'todo'),
  };
}

/** The same for a report in a file. A file that is missing or not JSON is a run that failed. */
export async function readReportTally(path: string, exitCode: number): Promise<Tally> {
  try {
    return tallyOfReport(JSON.parse(await readFile(path, 'utf8')), exitCode);
  } catch {
    return tallyOf(false);
  }
}

function listMembers(value: unknown, name: string): readonly unknown[] {
  const members = memberOf(value, name);
  return Array.isArray(members) ? members : [];
}
