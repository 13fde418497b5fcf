import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

/** Options of `openPage` for `copyWith`. */
export const clipboard = { permissions: ['clipboard-read', 'clipboard-write'] };

/** The text that a button of a page copies. */
export async function copyWith(page: Page, button: Locator): Promise<string> {
  await page.evaluate(async () => await navigator.clipboard.writeText(''));
  await button.click();
  const read = async (): Promise<string> =>
    await page.evaluate(async () => await navigator.clipboard.readText());
  await expect.poll(read).not.toBe('');
  return await read();
}

/** Runs a line in bash; resolves with what it prints. */
export async function runShell(line: string): Promise<string> {
  return (await promisify(execFile)('bash', ['-c', line])).stdout;
}
