import { execFile } from 'node:child_process';
import { chmod, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { packageFile } from '../../package/package-root.ts';

/** As `npm run petstore -- certify-client ...` does, typed in a folder. */
const npmRun = async (folder: string, ...argv: readonly string[]): Promise<string> => {
  const own = packageFile('node_modules/.bin');
  const path = [own, dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter);
  const run = [packageFile('dev/run.cjs'), 'cli/petstore.ts', ...argv];
  const env = { ...process.env, PATH: path, INIT_CWD: folder };
  const ended = promisify(execFile)(process.execPath, run, { cwd: packageFile('.'), env });
  const { stdout, stderr } = await ended.catch((error: unknown) => Object(error));
  return `${stdout}${stderr}`;
};

test("through npm run, a client gets the caller's working directory and PATH", async () => {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'petstore-')));
  const client = join(folder, 'client.sh');
  await writeFile(client, '#!/bin/sh\necho "in $PWD"\necho "by $PATH"\n');
  await chmod(client, 0o755);
  const argv = ['certify-client', '--scenario', 'plain', '--show-output', '--', './client.sh'];
  const printed = await npmRun(folder, ...argv);
  await rm(folder, { recursive: true });
  expect(printed).toContain(`in ${folder}`);
  expect(printed).toMatch(/by \S+/);
  expect(printed).not.toContain(packageFile('node_modules/.bin'));
});

test("file arguments are relative to the caller's working directory", async () => {
  const folder = await mkdtemp(join(tmpdir(), 'petstore-'));
  const info = '{"openapi":"3.1.0","info":{"title":"Mine","version":"1"},"paths":{}}';
  await writeFile(join(folder, 'mine.json'), info);
  const printed = await npmRun(folder, 'lint', 'mine.json');
  await rm(folder, { recursive: true });
  expect(printed).not.toContain('does not exist');
});
