import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { DocumentResult } from '../measure/result.ts';

/** Undefined where there is none, or only a part of one. */
export async function readResult(file: string): Promise<DocumentResult | undefined> {
  try {
    const result: DocumentResult = JSON.parse(await readFile(file, 'utf8'));
    return result;
  } catch {
    return undefined;
  }
}

export async function writeResult(file: string, result: DocumentResult): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, JSON.stringify(result, undefined, 1));
}
