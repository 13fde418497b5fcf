import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runPetstore } from '../main.ts';
import { explainError } from '../io/command-failure.ts';
import { packageFile } from '../package/package-root.ts';

/** A command that runs, with what it has written so far. */
interface Run {
  readonly ended: Promise<number>;
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** Resolved with what was written to stdout when it matches. */
  readonly printed: (pattern: RegExp) => Promise<RegExpExecArray>;
  readonly stop: () => void;
}

const run = (...argv: readonly string[]): Run => {
  const stop = new AbortController();
  const [out, err]: [string[], string[]] = [[], []];
  let wake = (): void => {};
  const stdout = {
    write: (text: string) => {
      out.push(text);
      wake();
    },
  };
  const ended = runPetstore(argv, {
    stdout,
    stderr: { write: (text) => err.push(text) },
    env: {},
    signal: stop.signal,
  });
  const find = (pattern: RegExp): RegExpExecArray | null => pattern.exec(out.join(''));
  const printed = async (pattern: RegExp): Promise<RegExpExecArray> => {
    for (let found = find(pattern); ; found = find(pattern)) {
      if (found !== null) return found;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  };
  return {
    ended,
    stdout: () => out.join(''),
    stderr: () => err.join(''),
    printed,
    stop: () => stop.abort(),
  };
};

const fail = async (...argv: readonly string[]): Promise<readonly [number, string]> => {
  const failed = run('mock', '--port', '0', ...argv);
  return [await failed.ended, failed.stderr()];
};

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'petstore-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});

const file = async (name: string, text: string): Promise<string> => {
  await writeFile(join(folder, name), text);
  return join(folder, name);
};

describe('petstore mock', () => {
  test('prints a base URL, the keys with their plans, and a curl line that works', async () => {
    const { printed, stdout, stop, ended } = run('mock', '--port', '0');
    const [, url = '', key = ''] = await printed(
      /curl -i '(\S+)' -H 'Authorization: Bearer (\S+)'/,
    );
    expect(stdout()).toContain('demo-business    Business: 1,000 a minute, 100,000 a day');
    expect(stdout()).toMatch(
      /is mocked at http:\/\/127\.0\.0\.1:\d+\/v1\n {2}In a browser: http:\S+\/_mock\/\n/,
    );
    const response = await fetch(url, { headers: { authorization: `Bearer ${key}` } });
    expect([response.status, await response.json()]).toEqual([
      200,
      expect.arrayContaining([expect.objectContaining({ name: 'Rex' })]),
    ]);
    stop();
    expect(await ended).toBe(0);
    await expect(fetch(url)).rejects.toThrow('fetch failed');
  });

  test('counts the errors and warnings of a document, and shows no gap where no key is needed', async () => {
    const path = await file(
      'faults.yaml',
      'openapi: 3.1.0\ninfo: { title: T, version: "1" }\nsecurity: [{ k: [] }]\npaths: { /a: { get: { responses: { 2xx: { description: ok } } } } }\n',
    );
    const { printed, stdout, stderr, stop, ended } = run('mock', path, '--port', '0');
    await printed(/curl -i/);
    stop();
    expect(await ended).toBe(0);
    expect(stderr()).toMatch(/faults\.yaml: 1 error \(that part is ignored\), 1 warning\. npx /);
    expect(stdout()).not.toContain('\n\n\n');
  });

  test('logs a line for each request, with the reason of a refusal and no key', async () => {
    const { printed, stdout, stop, ended } = run('mock', '--port', '0');
    const [, url = ''] = await printed(/'(http\S+)'/);
    await fetch(`${url}?limit=0`, { headers: { authorization: 'Bearer demo-pro' } });
    await printed(
      /\d\d:\d\d:\d\d 400 +\d+\.\d ms {2}299 left {2}Pro {11}GET \/v1\/pets\?limit=0 {2}listPets\n {9}invalid_parameter: limit must be .*\n/,
    );
    expect(stdout()).not.toContain('Bearer demo-pro');
    stop();
    await ended;
  });

  test('logs no requests with --quiet, and accepts choices and limits', async () => {
    const { printed, stdout, stop, ended } = run(
      'mock',
      '--port',
      '0',
      '--quiet',
      '--choice',
      'invalid-limit=clamped',
      '--limit',
      'FREE.minute=2',
      '--seed',
      'none',
    );
    const [banner, url = ''] = await printed(/'(http\S+)' -H '[^']+'\n\n/);
    const response = await fetch(`${url}?limit=0`, {
      headers: { authorization: 'Bearer demo-free' },
    });
    expect([
      response.status,
      await response.text(),
      response.headers.get('x-ratelimit-limit'),
    ]).toEqual([200, '[]', '2']);
    stop();
    await ended;
    expect(stdout().endsWith(banner)).toBe(true);
  });

  test('serves another document with its own keys', async () => {
    const { printed, stop, ended } = run(
      'mock',
      '--port',
      '0',
      '--contract',
      packageFile('fixtures/documents/books.yaml'),
    );
    const [, url = '', header = '', key = ''] = await printed(/curl -i '(\S+)' -H '(\S+): (\S+)'/);
    expect((await fetch(url, { headers: { [header]: key } })).status).toBe(200);
    stop();
    await ended;
  });

  test('starts with a seed from a file, int64 exact', async () => {
    const seed = await file(
      'seed.json',
      '{"/pets":[{"id":9007199254740993,"name":"Big","categoryId":1}]}',
    );
    const { printed, stop, ended } = run('mock', '--port', '0', '--seed', seed);
    const [, url = ''] = await printed(/'(http\S+)'/);
    const response = await fetch(`${url}/9007199254740993`, {
      headers: { authorization: 'Bearer demo-free' },
    });
    expect(await response.text()).toBe('{"id":9007199254740993,"name":"Big","categoryId":1}');
    stop();
    await ended;
  });
});

describe('petstore mock cannot start', () => {
  const oneLine = (pattern: string): unknown =>
    expect.stringMatching(new RegExp(`^petstore mock: ${pattern}\\n$`));

  test.each([
    [['--port', 'x'], '--port must be a whole number from 0 to 65535, not "x"\\.'],
    [['--port', '65536'], '--port must be .*'],
    [['--ban-after', '0'], '--ban-after must be .*'],
    [['--nope'], "Unknown option '--nope'\\. See npx petstore-contract mock --help\\."],
    [['nowhere.yaml'], '.*nowhere\\.yaml: there is no such file'],
    [['a.yaml', 'b.yaml'], 'Pass one file, not both a\\.yaml and b\\.yaml\\.'],
    [['--port', '-1'], '--port must be a whole number from 0 to 65535, not "-1"\\.'],
    [['ftp://a/b.yaml'], 'The document must be a file, not the address ftp://a/b\\.yaml\\. .*'],
    [['--contract', 'http://a/b'], 'The document must be a file, not the address http://a/b\\. .*'],
    [
      ['--key', 'free_a', '--key', 'invalid'],
      'The key "invalid" cannot be used: .*free_<name>, .*',
    ],
    [['--key', 'gold_a'], 'The key "gold_a" cannot be used: .*'],
    [['--choice', 'x'], '--choice must be <question>=<choice>, not "x"\\.'],
    [['--choice', 'a=b'], 'The document does not ask the question "a".*'],
    [['--limit', 'free=1'], '--limit must be <plan>\\.<window>=<number>, not "free=1"\\.'],
    [['--limit', 'free.minute=0'], '--limit free\\.minute must be .*'],
    [['--limit', 'gold.minute=1'], 'There is no plan "gold".*'],
    [['--contract', '/nowhere.yaml'], '.*nowhere\\.yaml: there is no such file'],
    [
      ['--choice', 'category-records=nothing'],
      'The question category-records has no choice "nothing"; it has not-served, served.*',
    ],
    [
      ['--choice', 'invalid-limit=rejected'],
      'The question invalid-limit has no choice "rejected"; it has refused, clamped, ignored\\.',
    ],
    [['--contract', packageFile('package.json')], 'package\\.json.*openapi.*'],
    [['--seed', '/nowhere.json'], '/nowhere\\.json does not exist\\.'],
    [
      ['--seed', packageFile('package.json')],
      'The seed names name, which is not a collection of the document; it has /pets\\.',
    ],
  ])('with %j: one line, exit 2', async (argv, line) => {
    expect(await fail(...argv)).toEqual([2, oneLine(line)]);
  });

  test.each([
    ['broken.json', '{', '.*broken\\.json is not valid JSON: .*'],
    ['array.json', '[]', '.*array\\.json is not an object with an array per collection path: .*'],
    [
      'misfit.json',
      '{"/pets":[{"id":1}]}',
      'Seed item 0 of /pets breaks the contract: name is required \\(at /name\\).*',
    ],
  ])('with the seed %s: one line, exit 2', async (name, text, line) => {
    expect(await fail('--seed', await file(name, text))).toEqual([2, oneLine(line)]);
  });

  test.each(['ENOTFOUND', 'EAI_AGAIN'])(
    'with a host that has no address (%s): one line',
    (code) => {
      expect(
        explainError(
          Object.assign(new Error(`getaddrinfo ${code}`), { code, hostname: 'nowhere.invalid' }),
          {},
        ),
      ).toBe('The host name nowhere.invalid cannot be resolved. Choose another with --host.');
    },
  );

  test('on a port in use: one line, exit 2', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? `${address.port}` : '';
    expect(await fail('--port', port)).toEqual([
      2,
      oneLine(`Port ${port} of 127\\.0\\.0\\.1 is in use\\. Choose another with --port\\.`),
    ]);
    await new Promise<void>((resolve) => {
      server.close(() => resolve());
    });
  });
});

describe('petstore', () => {
  test('prints its commands and version, and rejects unknown commands', async () => {
    const [help, version, unknown] = [run(), run('version'), run('moc')];
    expect([await help.ended, help.stdout()]).toEqual([
      0,
      expect.stringContaining('Usage: npx petstore-contract <command>'),
    ]);
    expect([await version.ended, version.stdout()]).toEqual([
      0,
      expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
    ]);
    expect([await unknown.ended, unknown.stderr()]).toEqual([
      2,
      expect.stringMatching(
        /^petstore: There is no command "moc"\. Did you mean mock\? See npx petstore-contract --help\.\n$/,
      ),
    ]);
  });

  test.each([
    ['mock', '--help'],
    ['help', 'mock'],
    ['mock', '-h'],
  ])('%s %s shows the options of mock, on a screen of 80 columns', async (...argv) => {
    const help = run(...argv);
    expect([await help.ended, help.stdout()]).toEqual([
      0,
      expect.stringContaining('npx petstore-contract mock my.yaml'),
    ]);
    expect(
      help
        .stdout()
        .split('\n')
        .filter((line) => line.length > 80 && !line.startsWith('Docs: ')),
    ).toEqual([]);
  });
});
