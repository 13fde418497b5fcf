import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the project. */
export const projectRoot = dirname(dirname(fileURLToPath(import.meta.url)));

/**
 * The project's files, relative to its folder, in order: what git tracks and what it would track.
 * Needs a git checkout.
 */
export function listProjectFiles(): readonly string[] {
  return execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: projectRoot,
    encoding: 'utf8',
  })
    .split('\0')
    .filter((path) => path !== '' && existsSync(join(projectRoot, path)))
    .toSorted();
}
