import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { packPackage, sizeOnDisk } from '../packed-package.ts';
import { projectRoot } from '../project-files.ts';
import { configOf, parseContainerfile } from './containerfile.ts';
import { findEngine } from './engine.ts';
import { runStages } from './image-steps.ts';

const stages = parseContainerfile(readFileSync(join(projectRoot, 'Containerfile'), 'utf8'));
const last = stages.at(-1) ?? { base: '', name: '', instructions: [] };
const config = configOf(last);

test('the Containerfile is of a slim base, without root, with a health check', () => {
  expect(stages.map(({ base }) => base)).toEqual([
    'docker.io/library/node:24-alpine',
    'gcr.io/distroless/nodejs24-debian12:nonroot',
  ]);
  expect(config.user).toMatch(/^[1-9]\d*:[1-9]\d*$/);
  expect(config.env).toEqual({ PETSTORE_MOCK_HOST: '0.0.0.0' });
  expect(config.healthCheck.length).toBeGreaterThan(0);
  expect(last.instructions.map(({ name }) => name)).not.toContain('RUN');
});

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' && address !== null ? address.port : 0;
};

/** The steps of the file, in an empty folder in place of the images, which only its bases lack. */
describe('the steps of the Containerfile', () => {
  let folder = '';
  let root = '';
  const children: ChildProcess[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'petstore-container-'));
    await chmod(folder, 0o755);
    await packPackage(folder);
    root = await runStages(stages, folder, folder);
  }, 300_000);
  afterAll(async () => {
    for (const child of children) child.kill('SIGKILL');
    spawnSync('chmod', ['-R', 'u+w', folder]);
    await rm(folder, { recursive: true, force: true });
  });

  const [uid = 0, gid = 0] = config.user.split(':').map(Number);
  const user = process.getuid?.() === 0 ? { uid, gid } : {};

  /** Words of the image as words of this machine: its base brings Node, its files are in a folder. */
  const local = (words: readonly string[]): readonly string[] =>
    words.map((word) =>
      word === '/nodejs/bin/node' ? process.execPath : word.replace(/^\/app(?=\/)/, `${root}/app`),
    );

  const start = (words: readonly string[], env: Readonly<Record<string, string>>) => {
    const [program = '', ...rest] = local(words);
    const child = spawn(program, rest, {
      cwd: join(root, config.folder),
      // No place that it may write to.
      env: { ...config.env, ...env, TMPDIR: root, HOME: root },
      stdio: ['ignore', 'pipe', 'pipe'],
      ...user,
    });
    children.push(child);
    return child;
  };
  const endOf = async (child: ChildProcess): Promise<number | null> => {
    if (child.exitCode === null) await once(child, 'exit');
    return child.exitCode;
  };

  test('leave no file that the user of the container may change, and little', async () => {
    const probe =
      "try { require('fs').writeFileSync('x', ''); } catch ({ code }) { console.log(code); }";
    const child = start(['/nodejs/bin/node', '-e', probe], {});
    let told = '';
    child.stdout.on('data', (part: Buffer) => (told += part.toString()));
    await once(child, 'close');
    expect(told.trim()).toMatch(/^(EACCES|EROFS)$/);
    expect(await sizeOnDisk(join(root, 'app'))).toBeLessThanOrEqual(13);
  }, 60_000);

  test('run the mock, which is healthy until SIGTERM ends it', async () => {
    const env = { PETSTORE_MOCK_PORT: String(await freePort()) };
    expect(await endOf(start(config.healthCheck, env))).toBe(1);
    const mock = start(config.command, env);
    await once(mock.stdout, 'data');
    // Of this machine, and only reached where the mock listens on every address.
    const pets = `http://127.0.0.2:${env.PETSTORE_MOCK_PORT}/v1/pets`;
    const { status } = await fetch(pets, { headers: { authorization: 'Bearer demo-free' } });
    expect(status).toBe(200);
    expect(await endOf(start(config.healthCheck, env))).toBe(0);
    mock.kill('SIGTERM');
    expect(await endOf(mock)).toBe(0);
    expect(await endOf(start(config.healthCheck, env))).toBe(1);
  }, 120_000);

  test('run a mock that is healthy with a token, too', async () => {
    const env = {
      PETSTORE_MOCK_PORT: String(await freePort()),
      PETSTORE_MOCK_CONTROL_TOKEN: 'secret',
    };
    const mock = start(config.command, env);
    await once(mock.stdout, 'data');
    expect(await endOf(start(config.healthCheck, env))).toBe(0);
    mock.kill('SIGTERM');
    expect(await endOf(mock)).toBe(0);
  }, 120_000);
});

const bases = Object.fromEntries(
  stages.map(({ base }, index) => [index === 0 ? 'NODE' : 'BASE', base]),
);
const engine = findEngine(bases, process.env);
const way =
  engine === undefined ? 'skipped: no engine here has the base images' : `by ${engine.name}`;

/** The image itself, where something here builds and runs it. */
describe(`the image (${way})`, () => {
  const tag = `localhost/petstore-contract-test-${process.pid}`;
  let folder = '';
  beforeAll(async () => {
    if (engine === undefined) return;
    folder = await mkdtemp(join(tmpdir(), 'petstore-image-'));
    await packPackage(folder);
    const given = Object.entries(engine.images).flatMap(([name, image]) => [
      '--build-arg',
      `${name}=${image}`,
    ]);
    const format = engine.name.startsWith('podman') ? ['--format', 'docker'] : [];
    const file = join(projectRoot, 'Containerfile');
    const network = engine.options.includes('--network=host') ? ['--network=host'] : [];
    engine.run('build', ...format, ...given, ...network, '--tag', tag, '--file', file, folder);
  }, 300_000);
  afterAll(async () => {
    if (engine === undefined) return;
    engine.run('rmi', '--force', tag);
    await rm(folder, { recursive: true });
  }, 60_000);

  test.skipIf(engine === undefined)(
    'runs as nobody on a read-only system, is healthy, and ends on SIGTERM',
    async () => {
      if (engine === undefined) return;
      const port = String(await freePort());
      const ports = engine.options.includes('--network=host') ? [] : [`--publish=${port}:${port}`];
      const strict = [
        '--read-only',
        '--read-only-tmpfs=false',
        '--cap-drop=all',
        `--env=PETSTORE_MOCK_PORT=${port}`,
      ];
      const id = engine.run('run', '--detach', ...strict, ...ports, ...engine.options, tag).trim();
      try {
        const probe =
          "const { pid } = process; try { require('fs').writeFileSync('/tmp/x', ''); } catch ({ code }) { console.log(code, process.getuid()); }";
        expect(engine.run('exec', id, '/nodejs/bin/node', '-e', probe).trim()).toBe('EROFS 65532');
        await expect
          .poll(
            async () =>
              (await fetch(`http://127.0.0.1:${port}/v1/pets`).catch(() => undefined))?.status,
          )
          .toBe(401);
        engine.run('exec', id, ...config.healthCheck);
        engine.run('stop', '--time', '20', id);
        expect(engine.run('inspect', '--format', '{{.State.ExitCode}}', id).trim()).toBe('0');
      } finally {
        engine.run('rm', '--force', id);
      }
    },
    300_000,
  );

  test.skipIf(engine === undefined)(
    'is under 90 MB as it is pulled',
    () => {
      if (engine === undefined) return;
      const archive = join(folder, 'image.tar');
      engine.run('save', '--output', archive, tag);
      const size = spawnSync('gzip', ['--stdout', archive], { maxBuffer: 2 ** 30 }).stdout.length;
      expect(size).toBeLessThan(90_000_000);
    },
    300_000,
  );
});
