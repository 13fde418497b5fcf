import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { packageFile } from '../../cli/package/package-root.ts';

/**
 * `npm run record`: writes every generated file that is checked in. With `--selftest`, first the
 * figures of the self-test, which takes some minutes.
 */
const { values } = parseArgs({ options: { selftest: { type: 'boolean' } } });

const run = (...words: readonly string[]): void =>
  void execFileSync(process.execPath, [packageFile('dev/run.cjs'), ...words], { stdio: 'inherit' });

run('dev/install.ts', 'dev/record/types');
if (values.selftest === true) run('selftest/run.ts', '--record');
// After the installation, and in the order of the table: later files are made of earlier ones.
const { recordedFiles } = await import('./recorded-files.ts');
for (const [path, render] of recordedFiles) {
  await writeFile(packageFile(path), await render());
  process.stdout.write(`${path}\n`);
}
