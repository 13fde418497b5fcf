import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Report } from '../../conformance/index.ts';
import type { Contract } from '../../contract/contract.ts';
// Import only the reader from report/: a start of the mock may load this file.
import { readJsonReport } from '../../report/json.ts';
import { readJsonFile } from './file.ts';

/**
 * Reads a `report.json`, or the one in a folder. Throws `PetstoreError` with the file's name, or
 * the system's error.
 */
export async function readReportFile(path: string, contract: Contract): Promise<Report> {
  const file = (await stat(path)).isDirectory() ? join(path, 'report.json') : path;
  return await readJsonFile(file, 'a report', (value) => readJsonReport(value, contract));
}
