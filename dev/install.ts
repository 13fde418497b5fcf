import { execFileSync } from 'node:child_process';
import { packageFile } from '../cli/package/package-root.ts';

/**
 * Installs packages that `npm ci` of the project leaves out: `node dev/run.cjs dev/install.ts dev/site`.
 * Default: all of them. No install script runs.
 */
const folders = [
  'dev/packaging',
  'dev/peers/former',
  'dev/peers/older',
  'dev/runtimes',
  'dev/site',
];
const wanted = process.argv.slice(2);
const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
for (const folder of wanted.length === 0 ? folders : wanted)
  execFileSync('npm', ['ci', ...options], {
    cwd: packageFile(folder),
    stdio: ['ignore', process.stderr, process.stderr],
  });
