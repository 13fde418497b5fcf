import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { packageFile } from './package-root.ts';
import { recordedDigests } from './recorded-digests.ts';

/** A file of this package that is taken on trust, by its path within the package. */
export type RecordedFile = keyof typeof recordedDigests;

/**
 * Reads a recorded file: the text that this version was made with, and no other. What is recorded
 * spares work or tells what was measured, so an edited copy would be believed; the digests are code.
 *
 * @returns undefined where the file is missing or not the recorded one
 */
export async function readRecorded(path: RecordedFile): Promise<string | undefined> {
  const text = await readFile(packageFile(path), 'utf8').catch(() => undefined);
  return text !== undefined && digestRecorded(text) === recordedDigests[path] ? text : undefined;
}

/** The digest of a recorded file: SHA-256 of its text, whatever ends its lines in this checkout. */
export function digestRecorded(text: string): string {
  return hash('sha256', text.replaceAll('\r\n', '\n'));
}
