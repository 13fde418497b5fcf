import { mkdtemp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { packageFile } from '../package/package-root.ts';
import { runCommand } from '../../test/cli/command.ts';
import { certificateFileNames } from './certificate-files.ts';

let folder: string;
const at = (name: string): string => join(folder, name);
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'petstore-replacement-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});

const named = ['--certify', '--target-name', 'x', '--target-version', '1'];
const client = [process.execPath, packageFile('selftest/clients/careful-client.ts')];
const judgeServer = (place: string, ...argv: readonly string[]) =>
  runCommand('conform', '--quiet', '--read-only', '--only', 'auth', '--report', at(place), ...argv);
const judgeClient = (place: string, ...argv: readonly string[]) =>
  runCommand(
    'certify-client',
    '--quiet',
    '--scenario',
    'plain',
    '--report',
    at(place),
    ...argv,
    '--',
    ...client,
  );
const textOf = (path: string): Promise<string> => readFile(at(path), 'utf8');

describe('the files of a report', () => {
  test('are replaced by the next run, but not by another kind of report', async () => {
    expect((await judgeServer('server')).code).toBe(0);
    const before = await textOf('server/report.json');
    expect((await judgeServer('server')).code).toBe(0);
    expect(await textOf('server/report.json')).not.toBe(before);
    const kept = await textOf('server/report.json');
    const { code, stdout, stderr } = await judgeClient('server');
    expect([code, stdout, stderr]).toEqual([
      2,
      '',
      `petstore certify-client: ${at('server/report.json')} does not belong to a report on a client. Use another folder with --report, or --force to replace it.\n`,
    ]);
    expect(await textOf('server/report.json')).toBe(kept);
    expect((await judgeClient('server', '--force')).code).toBe(0);
    expect((await judgeClient('server')).code).toBe(0);
    expect((await judgeServer('server')).code).toBe(2);
  });

  test('do not overwrite other files with the same names', async () => {
    await mkdir(at('mine'));
    await writeFile(at('mine/summary.md'), 'mine');
    for (const judge of [judgeServer, judgeClient]) {
      const { code, stderr } = await judge('mine');
      expect([code, stderr]).toEqual([
        2,
        expect.stringContaining(`${at('mine/summary.md')} does not belong`),
      ]);
    }
    const journal = await runCommand('judge-journal', '--report', at('mine'));
    expect([journal.code, journal.stderr]).toEqual([
      2,
      expect.stringContaining('summary.md does not belong'),
    ]);
    expect(await textOf('mine/summary.md')).toBe('mine');
    await writeFile(at('mine/report.json'), '{');
    expect((await judgeServer('mine')).code).toBe(2);
  });
});

describe('a certificate', () => {
  test('is never overwritten', async () => {
    const names = certificateFileNames.map((name) => `certified/${name}`);
    const textsOf = () => Promise.all(names.map(textOf));
    await judgeServer('certified', ...named);
    const before = await textsOf();
    for (const judge of [judgeServer, judgeClient]) {
      const { code, stdout, stderr } = await judge('certified', ...named);
      expect([code, stdout]).toEqual([2, '']);
      expect(stderr).toContain(`${at('certified/certificate.json')} is a certificate`);
    }
    expect(await textsOf()).toEqual(before);
    await judgeServer('certified', ...named, '--force');
    expect(await textOf('certified/certificate.json')).not.toBe(before[0]);
  });
});
