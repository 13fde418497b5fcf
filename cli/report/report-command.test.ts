import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createKeyPair } from '../../certificate/index.ts';
import { loadContract } from '../../contract/load.ts';
import { createMock } from '../../mock/index.ts';
import type { TextSink } from '../io/command-io.ts';
import { runPetstore } from '../main.ts';

/** What a command printed and how it ended. */
interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const run = async (
  argv: readonly string[],
  env: Readonly<Record<string, string>> = {},
  terminal: Partial<TextSink> = {},
): Promise<Ended> => {
  const [out, err]: [string[], string[]] = [[], []];
  const code = await runPetstore(['conform', ...argv], {
    stdout: { write: (text) => out.push(text), ...terminal },
    stderr: { write: (text) => err.push(text), ...terminal },
    env,
    signal: new AbortController().signal,
  });
  return { code, stdout: out.join(''), stderr: err.join('') };
};

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'petstore-report-'));
});

afterAll(async () => {
  await rm(folder, { recursive: true });
});

const names = ['exchanges.har', 'junit.xml', 'report.html', 'report.json', 'summary.md'];

describe('--report', () => {
  test('creates the folder and writes every file, replacing older ones', async () => {
    const place = join(folder, 'fuzz', 'inside');
    expect((await run(['--report', place])).code).toBe(0);
    expect((await readdir(place)).toSorted()).toEqual(names);
    await writeFile(join(place, 'summary.md'), 'old');
    await run(['--report', place, '--requests', '10']);
    expect(await readFile(join(place, 'summary.md'), 'utf8')).toMatch(/^## Conformance: /);
  });

  test('says in one line that a folder cannot be written, after the verdict, and exits 2', async () => {
    const file = join(folder, 'file');
    await writeFile(file, '');
    const { code, stdout, stderr } = await run(['--report', join(file, 'report')]);
    expect(code).toBe(2);
    expect(stdout).toContain('conforms to Petstore 1.0.0');
    expect(stderr).toMatch(/^petstore conform: The report could not be written: ENOTDIR[^\n]*\n$/);
  });
});

describe('on a terminal', () => {
  test('shows progress, erases it, and uses colours unless NO_COLOR is set', async () => {
    // The clock advances with each reading, so the speed of the machine does not matter.
    let time = 0;
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => (time += 20));
    onTestFinished(() => clock.mockRestore());
    const terminal = { isTTY: true, columns: 90 };
    const coloured = await run(['--requests', '10'], {}, terminal);
    expect(coloured.stderr).toMatch(/ left: the rate limit/);
    expect(coloured.stderr.endsWith('\r\u001B[K')).toBe(true);
    expect(coloured.stderr).not.toContain('waiting');
    expect(coloured.stdout).toContain('\u001B[32m');
    const plain = await run(['--requests', '10'], { NO_COLOR: '1' }, terminal);
    expect(plain.stdout).not.toContain('\u001B');
    expect(plain.stderr.replaceAll('\u001B[K', '')).not.toContain('\u001B');
  });

  test('prints no progress and no colours elsewhere, or on a dumb terminal', async () => {
    for (const each of [
      await run(['--requests', '10']),
      await run(['--requests', '10'], { TERM: 'dumb' }, { isTTY: true, columns: 90 }),
    ]) {
      expect(each.stderr).toBe('');
      expect(each.stdout).not.toContain('\u001B');
    }
  });
});

/** A key with characters that have other spellings in JSON, in addresses and in HTML. */
const key = `S3cret/K3y+with="odd'&<7>`;

/**
 * The key and keys like it, as they might be spelt anywhere, in small letters: what begins like the
 * key is found as well.
 */
const spellings = (() => {
  const cut = key.slice(0, -1);
  const all = [
    cut,
    encodeURIComponent(cut),
    JSON.stringify(cut).slice(1, -1),
    cut.replaceAll('/', String.raw`\/`),
    cut.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;'),
    's3cret',
    Buffer.from(cut.slice(0, 21)).toString('base64'),
  ];
  return all.map((each) => each.toLowerCase());
})();

/**
 * A server that keeps most requirements and repeats the caller's credential in headers and bodies, in
 * every spelling it knows.
 */
class EchoServer {
  readonly #server: Server;
  readonly #upstream: string;
  constructor(upstream: string) {
    this.#upstream = upstream;
    this.#server = createServer((request, outgoing) => void this.#response(request, outgoing));
  }

  listen(): Promise<string> {
    const { promise, resolve } = Promise.withResolvers<string>();
    this.#server.listen(0, '127.0.0.1', () => {
      const address = this.#server.address();
      resolve(`http://127.0.0.1:${typeof address === 'object' ? (address?.port ?? 0) : 0}/v1`);
    });
    return promise;
  }

  async #response(request: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const credential = request.headers.authorization ?? '';
    const body = Buffer.concat(await Array.fromAsync(request));
    const response = await fetch(this.#upstream + (request.url ?? '').replace('/v1', ''), {
      method: request.method ?? 'GET',
      headers: {
        authorization: credential === `Bearer ${key}` ? 'Bearer demo-business' : credential,
        ...(body.length > 0 ? { 'content-type': 'application/json' } : {}),
      },
      ...(body.length > 0 ? { body } : {}),
    });
    const text = await response.text();
    const echoed = [
      credential,
      credential.toLowerCase(),
      encodeURIComponent(credential),
      credential.replaceAll('"', '&quot;'),
      Buffer.from(credential).toString('base64'),
      Buffer.from(key).toString('base64url'),
    ];
    const value: unknown = JSON.parse(text, (name, member: unknown) =>
      name === 'name' || name === 'message' ? `${String(member)} ${echoed.join(' ')}` : member,
    );
    const fresh = Object.fromEntries(
      [...response.headers].filter(
        ([name]) =>
          !['content-length', 'connection', 'transfer-encoding', 'keep-alive', 'date'].includes(
            name,
          ),
      ),
    );
    outgoing.writeHead(response.status, {
      ...fresh,
      'x-echo': credential,
      'x-echo-encoded': encodeURIComponent(credential),
    });
    outgoing.end(JSON.stringify(value).replaceAll('/', String.raw`\/`));
  }

  [Symbol.asyncDispose](): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#server.close(() => resolve());
    this.#server.closeAllConnections();
    return promise;
  }
}

/** The files of a new pair of keys. */
const newKeys = async (name: string) => {
  const { privateKey, publicKey } = createKeyPair();
  const [secret, open] = [join(folder, `${name}.pem`), join(folder, `${name}.pub.pem`)];
  await writeFile(secret, privateKey);
  await writeFile(open, publicKey);
  return { secret, open };
};

describe('a target that echoes the key', () => {
  test('never gets it into output: terminal, files, annotations, job summary', async () => {
    const contract = await loadContract({
      file: new URL('../../openapi.yaml', import.meta.url).pathname,
    });
    const listening = await createMock(contract).listen({ port: 0, host: '127.0.0.1' });
    await using server = new EchoServer(listening.url);
    const [place, summary] = [join(folder, 'echo'), join(folder, 'job.md')];
    const argv = ['--base-url', await server.listen(), '--api-key', key, '--report', place];
    const env = { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: summary };
    const { code, stdout, stderr } = await run(argv, env, { isTTY: true, columns: 200 });
    await listening.close();
    expect(code).toBe(1);
    expect(stdout).toContain('[redacted]');
    expect(stdout).toContain('::error title=createPet/response.201.body.categoryId.format::');
    const files = await Promise.all(
      names.map(async (name) => [name, await readFile(join(place, name), 'utf8')] as const),
    );
    const outputs = [
      ['stdout', stdout],
      ['stderr', stderr],
      ['job.md', await readFile(summary, 'utf8')],
      ...files,
    ] as const;
    const leaks = outputs.flatMap(([name, text]) =>
      spellings
        .filter((each) => text.toLowerCase().includes(each))
        .map((each) => `${name}: ${each}`),
    );
    expect(leaks).toEqual([]);
    expect(await readFile(summary, 'utf8')).toContain('### 1 cause\n');
  });

  test('never gets it into a certificate', async () => {
    const contract = await loadContract({
      file: new URL('../../openapi.yaml', import.meta.url).pathname,
    });
    const listening = await createMock(contract).listen({ port: 0, host: '127.0.0.1' });
    await using server = new EchoServer(listening.url);
    const place = join(folder, 'certified');
    const ours = await newKeys('ours');
    await run([
      '--sign',
      ours.secret,
      '--base-url',
      await server.listen(),
      '--api-key',
      key,
      '--report',
      place,
      '--certify',
      '--read-only',
      '--target-name',
      'echo',
      '--target-version',
      '1',
    ]);
    await listening.close();
    const [text, page] = await Promise.all(
      ['certificate.json', 'certificate.html'].map((name) => readFile(join(place, name), 'utf8')),
    );
    const payload = Buffer.from(
      /"payload": "([^"]*)"/.exec(text ?? '')?.[1] ?? '',
      'base64',
    ).toString();
    expect(payload).toContain('[redacted]');
    expect(
      spellings.filter((each) => [text, page, payload].join('').toLowerCase().includes(each)),
    ).toEqual([]);
  });
});
