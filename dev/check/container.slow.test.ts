import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../load/server-process.ts';
import { packPackage } from './packed-package.ts';
import { projectRoot } from './project-files.ts';

const text = readFileSync(join(projectRoot, 'Containerfile'), 'utf8').replaceAll(/\\\n\s*/g, '');
const bases = [...text.matchAll(/^ARG \w+=(\S+)$/gm)].map(([, image = '']) => image);
const lastStage = text.slice(text.lastIndexOf('\nFROM '));
const healthCheck: readonly string[] = JSON.parse(
  /^HEALTHCHECK .*?CMD (.*)$/m.exec(lastStage)?.[1] ?? '[]',
);

test('the image has a slim base, no root user and no shell commands', () => {
  expect(bases).toEqual([
    'docker.io/library/node:24-alpine',
    'gcr.io/distroless/nodejs24-debian12:nonroot',
  ]);
  expect(lastStage).toMatch(/^USER [1-9]\d*:[1-9]\d*$/m);
  expect(lastStage).toMatch(/^ENV PETSTORE_MOCK_HOST=0\.0\.0\.0$/m);
  expect(lastStage).not.toMatch(/^RUN/m);
});

test.each([['without a token'], ['with one', '--control-token', 'secret']])(
  'the health check passes while a mock runs, %s',
  async (_, ...options) => {
    const port = `${await freePort()}`;
    const isHealthy = (): boolean =>
      spawnSync(process.execPath, healthCheck.slice(1), { env: { PETSTORE_MOCK_PORT: port } })
        .status === 0;
    expect(isHealthy()).toBe(false);
    const words = [join(projectRoot, 'cli/petstore.ts'), 'mock', '--port', port, ...options];
    const mock = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'ignore'] });
    await once(mock.stdout, 'data');
    expect(isHealthy()).toBe(true);
    mock.kill();
    await once(mock, 'close');
    expect(isHealthy()).toBe(false);
  },
  60_000,
);

/** A program that builds images here, and gets the base images. */
const engine = ['podman', 'docker'].find((program) =>
  [['info'], ...bases.map((base) => ['pull', '--quiet', base])].every(
    (words) => spawnSync(program, words, { timeout: 120_000 }).status === 0,
  ),
);
const way = engine === undefined ? 'skipped: no engine here has the base images' : `by ${engine}`;

describe.skipIf(engine === undefined)(`the image (${way})`, () => {
  const tag = `localhost/petstore-contract-test-${process.pid}`;
  let folder = '';
  const run = (...words: readonly string[]): string => {
    const options = { encoding: 'utf8', timeout: 240_000, maxBuffer: 2 ** 30 } as const;
    const { status, stdout, stderr } = spawnSync(engine ?? '', words, options);
    if (status !== 0) throw new Error(`${engine} ${words.join(' ')}: ${stderr}`);
    return stdout.trim();
  };
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'petstore-image-'));
    await packPackage(folder);
    const format = engine === 'podman' ? ['--format', 'docker'] : [];
    run('build', ...format, '--tag', tag, '--file', join(projectRoot, 'Containerfile'), folder);
  }, 600_000);
  afterAll(async () => {
    run('rmi', '--force', tag);
    await rm(folder, { recursive: true, force: true });
  }, 60_000);

  test('runs without root on a read-only system, is healthy, and ends on SIGTERM', async () => {
    const strict = ['--read-only', '--cap-drop=all', '--publish=127.0.0.1::4010'];
    const id = run('run', '--detach', ...strict, tag);
    try {
      const probe =
        "try { require('fs').writeFileSync('x', ''); } catch ({ code }) { console.log(code, process.getuid()); }";
      expect(run('exec', id, '/nodejs/bin/node', '-e', probe)).toMatch(/^(EROFS|EACCES) 65532$/);
      const [address = ''] = run('port', id, '4010').split('\n');
      const status = async (): Promise<number | undefined> =>
        (await fetch(`http://${address}/v1/pets`).catch(() => undefined))?.status;
      await expect.poll(status, { timeout: 20_000 }).toBe(401);
      run('exec', id, ...healthCheck);
      run('stop', '--time', '20', id);
      expect(run('inspect', '--format', '{{.State.ExitCode}}', id)).toBe('0');
    } finally {
      run('rm', '--force', id);
    }
  }, 300_000);

  test('is under 90 MB to pull', () => {
    const archive = join(folder, 'image.tar');
    run('save', '--output', archive, tag);
    const size = spawnSync('gzip', ['--stdout', archive], { maxBuffer: 2 ** 30 }).stdout.length;
    expect(size).toBeLessThan(90_000_000);
  }, 300_000);
});
