import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';

/** What a page needs to be asked for by `openPage` for `readClipboard`. */
export const clipboard = { permissions: ['clipboard-read', 'clipboard-write'] };

/** The text that was copied last. */
export async function readClipboard(page: Page): Promise<string> {
  return await page.evaluate(async () => await navigator.clipboard.readText());
}

/** Runs a line in bash; resolves with what it prints. */
export async function runShell(line: string): Promise<string> {
  return (await promisify(execFile)('bash', ['-c', line])).stdout;
}
