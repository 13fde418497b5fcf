import { spawn, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { installPackage } from './packed-package.ts';
import { projectRoot } from './project-files.ts';

const authorization = { Authorization: 'Bearer demo-free' };

/** What users install, without what only the checkout has. */
describe('the built package', () => {
  let folder = '';
  const stops: (() => void)[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'petstore-contract-'));
    await installPackage(folder);
  }, 120_000);

  afterAll(async () => {
    for (const stop of stops) stop();
    await rm(folder, { recursive: true, force: true });
  });

  /** Starts the command, until its output matches or it ends. */
  const run = (
    words: readonly string[],
    until?: RegExp,
  ): Promise<{ readonly text: string; readonly code: number | null }> =>
    new Promise((resolve, reject) => {
      const child = spawn(process.execPath, [join(folder, 'dist/cli/petstore.js'), ...words], {
        cwd: folder,
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      stops.push(() => child.kill());
      let text = '';
      const read = (chunk: Buffer): void => {
        text += chunk.toString();
        if (until?.test(text) === true) resolve({ text, code: null });
      };
      child.stdout.on('data', read);
      child.stderr.on('data', read);
      child.once('error', reject);
      child.once('close', (code) => resolve({ text, code }));
    });

  test('imports nothing before the compile cache is enabled', async () => {
    const text = await readFile(join(folder, 'dist/cli/petstore.js'), 'utf8');
    const [before = ''] = text.split('enableCompileCache');
    const imported = [...before.matchAll(/^import .*"(.*)";$/gm)].map(([, name]) => name);
    expect(imported).toEqual(['node:module']);
  });

  test('runs a mock, its checks and its control interface', async () => {
    const { text } = await run(['mock', '--port', '0'], /curl .*\n/);
    const url = /http:\/\/\S+\/v1/.exec(text)?.[0] ?? '';
    const statusOf = async (path: string, init?: RequestInit): Promise<number> =>
      (await fetch(path, { headers: authorization, ...init })).status;
    expect(await statusOf(`${url}/pets`)).toBe(200);
    expect(
      await statusOf(`${url}/pets`, {
        method: 'POST',
        body: '{"name":"x"}',
        headers: { ...authorization, 'Content-Type': 'application/json' },
      }),
    ).toBe(400);
    expect(await statusOf(url.replace('/v1', '/_mock/sandboxes'))).toBe(200);
    expect(await statusOf(url.replace('/v1', '/_mock/openapi.yaml'))).toBe(200);
    for (const file of ['page.js', 'page.css', 'reference/swagger-ui.js'])
      expect([file, await statusOf(url.replace('/v1', `/_mock/page/${file}`))]).toEqual([
        file,
        200,
      ]);
    // The suite is in chunks that are loaded when a run starts.
    const plan = { method: 'POST', headers: { 'Content-Type': 'application/json' } };
    const planned = async (body: object): Promise<number> =>
      await statusOf(url.replace('/v1', '/_mock/conformance/plan'), {
        ...plan,
        body: JSON.stringify(body),
      });
    expect([await planned({}), await planned({ plan: 'Gold' })]).toEqual([200, 400]);
  }, 60_000);

  test('judges that mock', async () => {
    const { text, code } = await run(['conform', '--quiet']);
    expect([code, text]).toEqual([0, expect.stringContaining('conforms to Petstore 1.0.0')]);
  }, 60_000);

  test("certifies, and agrees with the source: each verifies the other's certificates", async () => {
    const place = join(folder, 'certificate');
    const named = ['--target-name', 'mock', '--target-version', '1', '--sign', `${place}.pem`];
    expect((await run(['keygen', '--out', place])).code).toBe(0);
    const certified = await run(['conform', '--quiet', '--certify', ...named, '--report', place]);
    expect(certified.code).toBe(0);
    const words = ['verify', join(place, 'certificate.json'), '--public-key', `${place}.pub.pem`];
    const verified = await run(words);
    expect([verified.code, verified.text]).toEqual([
      0,
      expect.stringContaining('is valid. Level: conforms.'),
    ]);
    const source = spawnSync(process.execPath, [join(projectRoot, 'cli/petstore.ts'), ...words], {
      encoding: 'utf8',
    });
    expect([source.status, source.stdout]).toEqual([0, verified.text]);
  }, 60_000);
});
