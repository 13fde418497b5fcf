import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { installPackage } from '../dev/check/packed-package.ts';
import { blocksOf } from '../test/docs/curl.ts';

const page = await readFile(new URL('partners.md', import.meta.url), 'utf8');
const [install = '', ...lines] = blocksOf(page, 'sh').join('').trim().split('\n');

/** What the file of `npm pack` unpacks to, as `npm install` would have it. */
const installCommand = async (folder: string): Promise<void> => {
  await installPackage(join(folder, 'node_modules/petstore-contract'));
  const bin = join(folder, 'node_modules/.bin/petstore-contract');
  await mkdir(dirname(bin));
  await symlink('../petstore-contract/dist/cli/petstore.js', bin);
  await chmod(bin, 0o755);
};

/**
 * Runs a line in a shell. The target is the embedded mock, the only one whose minute passes in no
 * time.
 */
const run = async (line: string, cwd: string): Promise<string> => {
  const local = line
    .replace(' "$BASE_URL" --api-key-file key.txt', '')
    // What npx would look for, without its second.
    .replace(/^npx petstore-contract /, 'node_modules/.bin/petstore-contract ');
  const { stdout } = await promisify(execFile)('bash', ['-euc', local], {
    cwd,
    env: { ...process.env, npm_config_offline: 'true', npm_config_update_notifier: 'false' },
  });
  return stdout;
};

/** A client written in five minutes: it does its work and never retries. */
const listAddList = `
const { PETSTORE_BASE_URL: base, PETSTORE_API_KEY: key } = process.env;
const headers = { authorization: 'Bearer ' + key, 'content-type': 'application/json' };
const call = async (init) => {
  const response = await fetch(base + '/pets', { ...init, headers });
  if (!response.ok) throw new Error('It was answered ' + response.status);
};
await call();
await call({ method: 'POST', body: '{"name":"Rex","categoryId":1}' });
await call();
`;

describe('from an empty folder to a verified certificate', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'petstore-partner-'));
    await installCommand(folder);
    await writeFile(join(folder, 'my-client.js'), listAddList);
  }, 120_000);
  afterAll(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  test('takes the commands of the page in order, in one folder', { timeout: 240_000 }, async () => {
    expect([install, lines.map((line) => line.split(' ')[2])]).toEqual([
      expect.stringMatching(/^npm install \.\/petstore-contract-\d+\.\d+\.\d+\.tgz$/),
      'keygen conform verify certify-client verify'.split(' '),
    ]);
    const output: string[] = [];
    for (const line of lines) output.push(await run(line, folder));
    expect(output[1]).toContain('Certificate: conforms.');
    expect(output[2]).toContain('certificate.json is valid. Level: conforms.');
    expect(output[3]).toMatch(
      /Certificate: conforms\.[^]*\n {2}- client\/integer\.exact: it does not apply to a client that sends no integer that it received\n/,
    );
    expect(output[4]).toContain('client/certificate.json is valid. Level: conforms.');
    const names = ['certificate.html', 'badge.svg', 'client/certificate.html'];
    const [page, badge, ofClient] = await Promise.all(
      names.map((name) => readFile(join(folder, name), 'utf8')),
    );
    expect([page, badge, ofClient]).toEqual([
      expect.stringContaining('My shop'),
      expect.stringContaining('<svg'),
      expect.stringContaining('My client'),
    ]);
  });
});
