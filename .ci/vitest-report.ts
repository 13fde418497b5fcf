import { readFile } from 'node:fs/promises';
import { memberOf } from './manifest.ts';
import type { Tally } from './tally.ts';

interface FileResult {
  readonly status: unknown;
  readonly statuses: readonly unknown[];
}

/**
 * Counts the tests in a JSON report of vitest. A file that could not be run counts as one failure,
 * and so does a run that failed, or ran nothing, without a failed test to show for it.
 *
 * @param exitCode what vitest exited with
 */
export function tallyOfReport(report: unknown, exitCode: number): Tally {
  const files = readFiles(report);
  const count = (status: string): number =>
    files.flatMap((file) => file.statuses).filter((one) => one === status).length;
  const passed = count('passed');
  const failed = count('failed') + files.filter(failedWhole).length;
  const silent = failed === 0 && (exitCode !== 0 || passed === 0);
  return {
    passed,
    failed: silent ? 1 : failed,
    skipped: count('pending') + count('skipped') + count('todo'),
  };
}

/** The same, of a report in a file. A file that is missing or no JSON is a run that failed. */
export async function tallyOfReportFile(path: string, exitCode: number): Promise<Tally> {
  const text = await readFile(path, 'utf8').catch(() => 'null');
  return tallyOfReport(parseOrNull(text), exitCode);
}

function failedWhole(file: FileResult): boolean {
  return file.status === 'failed' && !file.statuses.includes('failed');
}

function parseOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function readFiles(report: unknown): readonly FileResult[] {
  return membersOf(report, 'testResults').map((file) => ({
    status: memberOf(file, 'status'),
    statuses: membersOf(file, 'assertionResults').map((test) => memberOf(test, 'status')),
  }));
}

function membersOf(value: unknown, name: string): readonly unknown[] {
  const members = memberOf(value, name);
  return Array.isArray(members) ? members : [];
}
