import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const projectRoot = fileURLToPath(new URL('../..', import.meta.url));

/** The project's files, relative to its folder, sorted: tracked by git, or untracked but not ignored. */
export function listProjectFiles(): readonly string[] {
  return execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: projectRoot,
    encoding: 'utf8',
  })
    .split('\0')
    .filter((path) => path !== '' && existsSync(join(projectRoot, path)))
    .toSorted();
}

/** Whether a module is a test, or only used by tests. */
export function isTest(path: string): boolean {
  return path.endsWith('.test.ts') || path.startsWith('test/');
}
