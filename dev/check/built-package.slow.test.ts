import { spawn, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { installPackage } from './installed-package.ts';
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
    for (const file of ['page.js', 'page.css', 'reference.css', 'reference/swagger-ui.js'])
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

  test('certifies, and is one suite with the source: both verify what either certified', async () => {
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

  /** A mock that says 410 where the document has 404. */
  const startGone = async (): Promise<string> => {
    const { text } = await run(['mock', '--port', '0'], /curl .*\n/);
    const origin = /(http:\/\/\S+)\/v1/.exec(text)?.[1] ?? '';
    const relay = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
      const { method = 'GET', url = '', headers } = incoming;
      const chunks = await incoming.toArray();
      const body = chunks.length === 0 ? undefined : Buffer.concat(chunks);
      const sent = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
        typeof value === 'string' && !/^(host|connection|content-length|transfer-)/.test(name)
          ? [[name, value]]
          : [],
      );
      const found = await fetch(`${origin}${url}`, { method, headers: sent, body: body ?? null });
      const bytes = Buffer.from(await found.arrayBuffer());
      outgoing.writeHead(found.status === 404 ? 410 : found.status, [...found.headers].flat());
      outgoing.end(bytes);
    };
    const server = createServer((incoming, outgoing) => {
      relay(incoming, outgoing).catch((error: unknown) => outgoing.destroy(Error(String(error))));
    }).listen(0, '127.0.0.1');
    stops.push(() => server.close());
    await new Promise((resolve) => server.once('listening', resolve));
    const address = server.address();
    return `http://127.0.0.1:${isPlace(address) ? address.port : 0}/v1`;
  };
  const isPlace = (address: ReturnType<ReturnType<typeof createServer>['address']>) =>
    typeof address === 'object' && address !== null;

  test('reads the document itself where the copy that passed before was edited', async () => {
    const target = ['conform', '--quiet', '--base-url', await startGone(), '--api-key', 'demo-pro'];
    const before = await run(target);
    expect([before.code, before.text]).toEqual([1, expect.stringContaining('410')]);
    const file = join(folder, 'fixtures/passed.json');
    const genuine = await readFile(file, 'utf8');
    try {
      await writeFile(file, genuine.replaceAll('"404":', '"410":'));
      const after = await run(target);
      expect([after.code, after.text]).toEqual([1, expect.stringContaining('410')]);
    } finally {
      await writeFile(file, genuine);
    }
  }, 60_000);

  test('tells nothing by a record that was edited', async () => {
    const edit = async (name: string, words: readonly string[]) => {
      const file = join(folder, 'fixtures', name);
      const genuine = await readFile(file, 'utf8');
      try {
        await writeFile(
          file,
          genuine.replace(/\d/, (digit) => `${(Number(digit) + 1) % 10}`),
        );
        return await run(words);
      } finally {
        await writeFile(file, genuine);
      }
    };
    const certificate = join(folder, 'certificate/certificate.json');
    const key = join(folder, 'certificate.pub.pem');
    const words = ['verify', certificate, '--public-key', key];
    expect(await edit('dependencies.json', words)).toMatchObject({
      code: 2,
      text: expect.stringContaining('dependencies.json is not that of this version'),
    });
    const { text } = await edit('selftest.json', words);
    expect(text).toContain('UNVERIFIED');
  }, 60_000);
});
