import type { NamedReport } from '../../../conformance/index.ts';
import {
  type Contract,
  type JsonValue,
  JsonSyntaxError,
  PetstoreError,
  hasCode,
} from '../../../contract/index.ts';
import { readJsonReport } from '../../../report/index.ts';
import { parseInput, readInput } from '../../input/file.ts';

/** Reads a `report.json`. Throws `PetstoreError` that names the file, or the system's error. */
export async function readReportFile(file: string, contract: Contract): Promise<NamedReport> {
  const value = await readJsonFile(file);
  try {
    return { name: file, report: readJsonReport(value, contract) };
  } catch (error) {
    throw nameFile(file, error);
  }
}

async function readJsonFile(file: string): Promise<JsonValue> {
  const text = await readInput(file);
  try {
    return parseInput(text);
  } catch (error) {
    throw nameFile(file, error);
  }
}

function nameFile(file: string, error: unknown): unknown {
  if (!(error instanceof JsonSyntaxError) && !hasCode(error, 'shape')) return error;
  return new PetstoreError('merge', `${file} is no report, or was cut off: ${error.message}`, {
    cause: error,
  });
}
