import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { JsonSyntaxError } from '../../contract/json/scan.ts';
import { certificateLimits, inputLimits } from '../../contract/limits/index.ts';
import { createCommand } from '../options/command.ts';
import { explainError } from './command-failure.ts';
import { makeFolder } from '../../mock/state/folder.ts';
import { startCommand } from '../../test/cli/command.ts';
import { parseInput, readInput, readUpTo } from './file.ts';

let folder: string;
const at = (name: string): string => join(folder, name);
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'petstore-input-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});

/** A sparse file of this many bytes. */
async function writeSparse(name: string, size: number): Promise<string> {
  await writeFile(at(name), '');
  await truncate(at(name), size);
  return at(name);
}

test('a file at the size limit is read, and one byte more is rejected', async () => {
  const limit = 16_777_216;
  const [within, over] = [await writeSparse('within', limit), await writeSparse('over', limit + 1)];
  expect((await readInput(within, limit)).length).toBe(limit);
  await expect(readInput(over, limit)).rejects.toThrow(
    `${over} is too large: it has 16,777,217 bytes or more; at most 16,777,216 are read.`,
  );
});

test('a recording may be larger', async () => {
  const most = inputLimits.recordingBytes;
  expect(await readUpTo(await writeSparse('recording', most + 1), most)).toEqual({
    size: most + 1,
  });
  expect((await readInput(await writeSparse('small', 20_000_000))).length).toBe(20_000_000);
});

test('an endless stream is read up to the limit', async () => {
  const limit = 100_000;
  await expect(readInput('/dev/zero', limit)).rejects.toThrow('is too large');
  expect((await readInput('/dev/null', limit)).length).toBe(0);
});

test(
  'a named pipe is rejected as not a file; a pipe of the shell is read',
  { timeout: 30_000 },
  async () => {
    execFileSync('mkfifo', [at('pipe')]);
    await symlink('/dev/zero', at('device'));
    for (const name of ['pipe', 'device'])
      await expect(readInput(at(name))).rejects.toThrow('is a pipe or a device, not a file');
    for (const command of ['verify', 'judge', 'merge', 'lint', 'resources']) {
      const started = startCommand(command, at('pipe'));
      expect([command, await started.ended]).toEqual([command, 2]);
      expect(started.stdout() + started.stderr()).toMatch(
        /is a pipe or a device|not a regular file/,
      );
      expect(started.stdout() + started.stderr()).not.toMatch(/ENOTDIR|bug in petstore/);
    }
  },
);

test('a folder is reported as a folder', async () => {
  await expect(readInput(folder)).rejects.toThrow(`${folder} is a folder, not a file.`);
});

test('JSON at the value limit is read, and one value more is rejected', () => {
  const most = inputLimits.values;
  expect(parseInput(`[${'0,'.repeat(most - 2)}0]`)).toHaveLength(most - 1);
  expect(() => parseInput(`[${'0,'.repeat(most - 1)}0]`)).toThrow(JsonSyntaxError);
  expect(parseInput('\uFEFF[0]')).toEqual([0]);
});

test('a certificate that is too large is reported with the documented exit code', async () => {
  const most = certificateLimits.fileBytes;
  const command = startCommand('verify', await writeSparse('certificate', most + 1));
  expect(await command.ended).toBe(2);
  const least = (most + 1).toLocaleString('en');
  expect(command.stdout()).toContain(`The file is too large: it has ${least} bytes`);
});

test('an internal error is one line, and its stack is printed on request', async () => {
  const printed: string[] = [];
  const sink = { write: (text: string) => printed.push(text) };
  const io = { stdout: sink, stderr: sink, env: {}, signal: new AbortController().signal };
  const error = new RangeError('Maximum call stack\nsize exceeded');
  const definition = {
    name: 'lint',
    usage: '',
    description: [],
    examples: [],
    page: '',
    flags: {},
  } as const;
  const fail = createCommand({ ...definition, exitCodes: [''] }, () => Promise.reject(error));
  expect(await fail([], io)).toBe(2);
  expect(printed).toHaveLength(1);
  expect(printed[0]).toMatch(
    /^petstore lint: internal error .*RangeError: Maximum call stack size exceeded.*\n$/,
  );
  expect(explainError(error, { NODE_DEBUG: 'http,petstore' })).toContain('file.test.ts');
});

test.skipIf(process.platform !== 'linux')(
  'a folder that cannot be made is an error at once',
  async () => {
    await expect(makeFolder('/proc/petstore/report')).rejects.toThrow(/ENOENT/);
  },
);

test('a folder is created with its parents, and may already exist', async () => {
  const root = await mkdtemp(join(tmpdir(), 'petstore-folder-'));
  const folder = join(root, 'one', 'two');
  await Promise.all([makeFolder(folder), makeFolder(join(root, 'one', 'three'))]);
  await makeFolder(folder);
  expect(existsSync(folder)).toBe(true);
  await rm(root, { recursive: true });
});
