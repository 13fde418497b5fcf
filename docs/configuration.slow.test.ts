import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { packageFile } from '../cli/package/package-root.ts';
import { sharedFlags } from '../cli/options/flags.ts';
import { startCommand } from '../test/cli/command.ts';
import { snippetsOf } from './snippet.ts';

const page = readFileSync(new URL('configuration.md', import.meta.url), 'utf8');

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'petstore-configuration-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

const petstore = (words: readonly string[], env: Readonly<Record<string, string>> = {}) => {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [packageFile('cli/petstore.ts'), ...words],
    { cwd: folder, encoding: 'utf8', env: { ...process.env, ...env } },
  );
  return { status, stdout, stderr };
};

/** The whole file is read whatever the command is, so one that ends at once shows that it is right. */
const listing = ['certify-client', '--list', '--config'];

test('the TypeScript snippet of the page is a valid configuration', () => {
  const [snippet] = snippetsOf(page).filter(({ mark }) => mark === 'config');
  writeFileSync(join(folder, 'mine.ts'), snippet?.code.replace('my-service', 'none') ?? '');
  const ran = petstore([...listing, 'mine.ts']);
  expect(ran.stderr).toContain('petstore certify-client: options from mine.ts: contract.\n');
  expect(ran.stderr).toContain('none.yaml: there is no such file');
  const conform = petstore(['conform', '--config', 'mine.ts']);
  expect(conform.stderr).toContain('/conform/apiKey names the environment variable STAGING_KEY');
}, 60_000);

test('the JSON snippet of the page is a valid configuration that starts a mock', async () => {
  const text = /^```json config\n(.*?)^```$/ms.exec(page)?.[1] ?? '';
  const file = join(folder, 'mine.json');
  writeFileSync(file, text);
  const mock = startCommand('mock', '--config', file, '--port', '0');
  const [, url = ''] = await mock.printed(/curl -i '(http\S+)'/);
  expect(mock.stderr()).toBe(`petstore mock: options from ${file}: choice.\n`);
  const response = await fetch(url, {
    method: 'POST',
    headers: { authorization: 'Bearer demo-free', 'content-type': 'application/json' },
    body: '{"name":"Rex","categoryId":1}',
  });
  expect(await response.json()).not.toHaveProperty('status');
  await mock.stop();
});

test('the error message of the page is the one printed', () => {
  const output = /^petstore mock: .*$/m.exec(page)?.[0];
  writeFileSync(join(folder, 'petstore.config.json'), '{\n  "mock": {\n    "prot": 1\n  }\n}\n');
  expect(petstore(['mock']).stderr).toBe(`${output}\n`);
}, 60_000);

test('the page lists the options shared by all commands', () => {
  const [, output = ''] = /^\| Shared options \| (.*) may be/m.exec(page) ?? [];
  const names = output.match(/\w+(?=`)/g)?.toSorted();
  expect(names).toEqual(Object.keys(sharedFlags).toSorted());
});
