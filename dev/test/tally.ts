import { readFile } from 'node:fs/promises';
import { relative } from 'node:path';
import { memberOf } from '../check/manifest.ts';

/** How many checks passed, failed and were skipped, and which failed. */
export interface Tally {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** One line for each failed test: its file, its name, and the first line of its message. */
  readonly failures: readonly string[];
}

export function addTallies(tallies: readonly Tally[]): Tally {
  return {
    passed: tallies.reduce((sum, { passed }) => sum + passed, 0),
    failed: tallies.reduce((sum, { failed }) => sum + failed, 0),
    skipped: tallies.reduce((sum, { skipped }) => sum + skipped, 0),
    failures: tallies.flatMap(({ failures }) => failures),
  };
}

/** @param name what the only check is called if it failed */
export function tallyOf(passed: boolean, name: string): Tally {
  return passed
    ? { passed: 1, failed: 0, skipped: 0, failures: [] }
    : { passed: 0, failed: 1, skipped: 0, failures: [name] };
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
  const files = listMembers(report, 'testResults');
  const tests = files.flatMap((file) =>
    listMembers(file, 'assertionResults').map((test) => ({ file, test })),
  );
  const count = (...wanted: readonly unknown[]): number =>
    tests.filter(({ test }) => wanted.includes(memberOf(test, 'status'))).length;
  const failures = [
    ...tests
      .filter(({ test }) => isFailed(test))
      .map(({ file, test }) =>
        failureLine(file, memberOf(test, 'fullName'), listMembers(test, 'failureMessages')[0]),
      ),
    ...files
      .filter((file) => isFailed(file) && !listMembers(file, 'assertionResults').some(isFailed))
      .map((file) => failureLine(file, 'could not be run', memberOf(file, 'message'))),
  ];
  if (failures.length === 0 && exitCode !== 0)
    failures.push(`vitest ended with exit code ${exitCode}, but reports no failed test`);
  return {
    passed: count('passed'),
    failed: failures.length,
    skipped: count('pending', 'skipped', 'todo'),
    failures,
  };
}

/** The same for a report in a file. A file that is missing or not JSON is a run that failed. */
export async function readReportTally(path: string, exitCode: number): Promise<Tally> {
  try {
    return tallyOfReport(JSON.parse(await readFile(path, 'utf8')), exitCode);
  } catch {
    return tallyOf(false, 'vitest wrote no report');
  }
}

const isFailed = (result: unknown): boolean => memberOf(result, 'status') === 'failed';

function failureLine(file: unknown, name: unknown, message: unknown): string {
  const [path, test, text] = [memberOf(file, 'name'), name, message].map((value) =>
    typeof value === 'string' ? value : '',
  );
  return `${relative('.', path ?? '')}: ${test}: ${text?.split('\n', 1)[0]}`;
}

function listMembers(value: unknown, name: string): readonly unknown[] {
  const members = memberOf(value, name);
  return Array.isArray(members) ? members : [];
}
