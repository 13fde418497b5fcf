import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent, request } from 'undici';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { projectRoot } from '../../../dev/check/project-files.ts';
import { runPetstore } from '../../main.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'petstore-'));
  await cp(join(projectRoot, 'fixtures/tls'), folder, { recursive: true });
  await writeFile(join(folder, 'none.pem'), 'nothing');
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});

/** Starts the command, hands over what it printed, and stops it. */
const start = async (
  ...argv: readonly string[]
): Promise<{ readonly out: string; readonly code: Promise<number>; readonly stop: () => void }> => {
  const stop = new AbortController();
  const { promise, resolve } = Promise.withResolvers<string>();
  const io = {
    stdout: { write: resolve },
    stderr: { write: resolve },
    env: {},
    signal: stop.signal,
  };
  const code = runPetstore(['mock', '--port', '0', '--quiet', ...argv], io);
  return { out: await promise, code, stop: () => stop.abort() };
};

const ask = async (out: string): Promise<number> => {
  const [, url = '', key = ''] = /'(\S+)' -H '\S+ Bearer (\S+)'/.exec(out) ?? [];
  const dispatcher = new Agent({ connect: { rejectUnauthorized: false } });
  const { statusCode } = await request(url, {
    dispatcher,
    headers: { authorization: `Bearer ${key}` },
  });
  await dispatcher.destroy();
  return statusCode;
};

test('serves HTTPS with a key and its certificate', async () => {
  const [key, cert] = ['key.pem', 'cert.pem'].map((name) => join(folder, name));
  const { out, code, stop } = await start('--tls-key', `${key}`, '--tls-cert', `${cert}`);
  expect(out).toMatch(
    /is mocked at https:\/\/127\.0\.0\.1:\d+\/v1\n {2}In a browser: https:\S+\nCertificate until \d{4}-\d\d-\d\d\n {2}SHA-256 ([0-9A-F]{2}:){16}\n {10}([0-9A-F]{2}:){15}[0-9A-F]{2}\n/,
  );
  expect(out).toMatch(/curl -i -k 'https:\S+' -H 'Authorization: Bearer demo-free'\n/);
  expect(await ask(out)).toBe(200);
  stop();
  expect(await code).toBe(0);
});

test.each<[string, (file: (name: string) => string) => string[]]>([
  ['--tls-key and --tls-cert must be used together.', (file) => ['--tls-key', file('key.pem')]],
  [
    'missing.pem does not exist.',
    (file) => ['--tls-key', file('key.pem'), '--tls-cert', file('missing.pem')],
  ],
  [
    'none.pem its certificate, both in PEM: ',
    (file) => ['--tls-key', file('key.pem'), '--tls-cert', file('none.pem')],
  ],
  [
    'cert.pem must be a private key without a passphrase',
    (file) => ['--tls-key', file('cert.pem'), '--tls-cert', file('cert.pem')],
  ],
  [
    'key values mismatch',
    (file) => ['--tls-key', file('key.pem'), '--tls-cert', file('other.pem')],
  ],
  ['is a folder, not a file.', (file) => ['--tls-key', file(''), '--tls-cert', file('cert.pem')]],
])('cannot start: %s', async (reason, argv) => {
  const { out, code } = await start(...argv((name) => join(folder, name)));
  expect(out).toMatch(/^petstore mock: .*\n$/);
  expect(out).toContain(reason);
  expect(await code).toBe(2);
});
