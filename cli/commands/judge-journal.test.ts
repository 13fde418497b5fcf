import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createControlClient, type ControlClient } from '../../mock/control/client.ts';
import { packageFile } from '../package/package-root.ts';
import { startPlainServer } from '../../test/cli/plain-server.ts';
import { startCommand } from '../../test/cli/command.ts';

const mocks: ChildProcess[] = [];
let folder: string;
let [baseUrl, booksUrl] = ['', ''];
let control: ControlClient;
const books = packageFile('fixtures/documents/books.yaml');

/** Starts a mock in a process of its own, and gives its base address. */
async function startMock(...argv: readonly string[]): Promise<string> {
  const child = spawn(
    process.execPath,
    [packageFile('cli/petstore.ts'), 'mock', '--port', '0', '--no-watch', '--quiet', ...argv],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  mocks.push(child);
  const [text]: unknown[] = await once(child.stdout, 'data');
  return /https?:\S+/.exec(String(text))?.[0] ?? '';
}

beforeAll(async () => {
  [folder, baseUrl, booksUrl] = await Promise.all([
    mkdtemp(join(tmpdir(), 'journal-')),
    startMock(),
    startMock('--contract', books),
  ]);
  control = createControlClient(baseUrl);
});
afterAll(async () => {
  for (const mock of mocks) mock.kill();
  await rm(folder, { recursive: true });
});

interface Sent {
  readonly path?: string;
  readonly body?: string;
}

/** A client with a key of its own. */
const clientOf =
  (key: string) =>
  async ({ path = '/pets', body }: Sent = {}): Promise<number> => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const response = await fetch(
      baseUrl + path,
      body === undefined ? { headers } : { method: 'POST', headers, body },
    );
    await response.text();
    return response.status;
  };

const judge = async (
  ...argv: readonly string[]
): Promise<readonly [code: number, out: string, err: string]> => {
  const command = startCommand('judge-journal', '--mock', baseUrl, ...argv);
  return [await command.ended, command.stdout(), command.stderr()];
};

const brokenIn = (text: string): readonly string[] =>
  [...text.matchAll(/^ {2}breaks {5}client\/(\S+)/gm)].map(([, rule]) => rule ?? '');

/** A sandbox in which it is noon, on a day before anything is removed. */
const openAtNoon = (sandbox: string) =>
  control.call('setClock', { sandbox, body: { now: '2026-06-01T12:00:00Z' } });

/** The client's limit is spent for the day. */
const spend = (sandbox: string) =>
  control.call('setQuota', { sandbox, plan: 'Free', body: { used: { day: 1000 } } });

describe('a client of a running mock', () => {
  test('conforms if it lists, adds and waits as the clock advances, whatever other clients do', async () => {
    const [send, other] = [clientOf('free_good'), clientOf('pro_good')];
    await openAtNoon('good');
    expect([await send(), await send({ body: '{"name":"Rex","categoryId":1}' })]).toEqual([
      200, 201,
    ]);
    await spend('good');
    expect(await send()).toBe(429);
    expect(await other({ path: '/pets?limit=5' })).toBe(200);
    await clientOf('free_bad')({ path: '/pets?limit=0' });
    await control.call('setClock', { sandbox: 'good', body: { advanceSeconds: 86_400 } });
    expect(await send()).toBe(200);
    const [code, out, err] = await judge('--sandbox', 'good');
    expect([code, brokenIn(out), err]).toEqual([0, [], '']);
    expect(out).toContain('The client good conforms to Petstore 1.0.0, as far as was tested');
    expect(out).toMatch(/5 requests in 86400\.\d\d s\.\n$/);
  });

  test.each([
    [
      'impatient',
      ['rate-limit.retry-after-seconds'],
      async (send: ReturnType<typeof clientOf>) => {
        await send();
        await spend('impatient');
        await send();
        await control.call('setClock', { sandbox: 'impatient', body: { advanceSeconds: 60 } });
        await send();
      },
    ],
    [
      'careless',
      ['request.valid'],
      (send: ReturnType<typeof clientOf>) => send({ body: '{"name":"Rex"}' }),
    ],
    [
      'leaky',
      ['auth.key-elsewhere'],
      (send: ReturnType<typeof clientOf>) => send({ body: '{"name":"free_leaky","categoryId":1}' }),
    ],
    [
      'old',
      ['getPet.removed'],
      async (send: ReturnType<typeof clientOf>) => {
        await control.call('setClock', { sandbox: 'old', body: { now: '2031-01-01T00:00:00Z' } });
        await send({ path: '/pets/1' });
      },
    ],
    [
      'stubborn',
      ['request.refused-again'],
      async (send: ReturnType<typeof clientOf>) => {
        await control.call('addFault', {
          sandbox: 'stubborn',
          body: { operation: 'createPet', status: 400, count: 1 },
        });
        for (const seconds of [1, 1]) {
          await control.call('setClock', {
            sandbox: 'stubborn',
            body: { advanceSeconds: seconds },
          });
          await send({ body: '{"name":"Rex","categoryId":1}' });
        }
      },
    ],
  ] as const)('that is %s breaks only %j', async (name, rules, work) => {
    await openAtNoon(name);
    await clientOf(`free_${name}`)();
    await work(clientOf(`free_${name}`));
    const [code, out] = await judge('--sandbox', `free_${name}`);
    expect([code, brokenIn(out)]).toEqual([1, rules]);
    expect(out).toContain(`The client ${name} (Free) fails 1 rule of Petstore 1.0.0`);
    expect(out).not.toContain(`free_${name}`);
  });

  test('gets only advice about deprecated operations and unsafe repetitions', async () => {
    const send = clientOf('free_advised');
    await openAtNoon('advised');
    await control.call('addFault', {
      sandbox: 'advised',
      body: { operation: 'createPet', connection: 'reset', count: 3 },
    });
    for (let count = 0; count < 3; count += 1)
      await send({ body: '{"name":"Rex","categoryId":1}' }).catch(() => undefined);
    await send({ path: '/pets/1' });
    const [code, out] = await judge('--sandbox', 'advised');
    expect([
      code,
      /Recommendations not followed\n {2}(\S+)(?:\n.*){2}\n {2}(\S+)/.exec(out)?.slice(1),
    ]).toEqual([0, ['client/request.repeated', 'client/getPet.deprecated']]);
  });

  test('is not judged by times if the clock is frozen', async () => {
    const send = clientOf('free_still');
    await openAtNoon('still');
    await send();
    await spend('still');
    await send();
    await control.call('setClock', { sandbox: 'still', body: { frozen: true } });
    await control.call('setClock', { sandbox: 'still', body: { advanceSeconds: 60 } });
    await send();
    const [code, out] = await judge('--sandbox', 'still');
    expect([code, out]).toEqual([
      0,
      expect.stringMatching(
        /because the clock of the sandbox is frozen: client\/rate-limit\.retry-after-seconds/,
      ),
    ]);
  });

  test.each([
    ['where no sandbox is named', [], [1, ['auth.key']]],
    ['in the sandbox of such requests', ['--sandbox', 'no-key'], [1, ['auth.key']]],
    ['but not where main is named', ['--sandbox', 'main'], [0, []]],
  ] as const)('is judged by requests without a key %s', async (_where, argv, expected) => {
    await fetch(`${baseUrl}/pets`);
    await clientOf('demo-free')();
    const [code, out] = await judge(...argv);
    expect([code, brokenIn(out)]).toEqual(expected);
  });

  test('is judged by another document', async () => {
    await fetch(`${booksUrl}/books?pageSize=51`, { headers: { 'x-api-key': 'reader_ann' } });
    const command = startCommand(
      'judge-journal',
      '--mock',
      booksUrl,
      '--sandbox',
      'reader_ann',
      '--contract',
      books,
    );
    expect([await command.ended, brokenIn(command.stdout())]).toEqual([1, ['request.valid']]);
    expect(command.stdout()).toContain('The client ann (Reader) fails 1 rule of Library 2.3.0');
  });
});

test("a saved journal is judged like the mock's own, and the report is written", async () => {
  await clientOf('free_saved')({ path: '/pets?limit=0' });
  const journal = join(folder, 'journal.json');
  await writeFile(journal, JSON.stringify(await control.call('readJournal', { sandbox: 'saved' })));
  const command = startCommand(
    'judge-journal',
    '--journal',
    journal,
    '--report',
    join(folder, 'report'),
    '--quiet',
  );
  expect([await command.ended, brokenIn(command.stdout())]).toEqual([1, ['request.valid']]);
  expect(command.stdout()).toContain('The client journal.json fails 1 rule of Petstore 1.0.0');
  expect((await readdir(join(folder, 'report'))).toSorted()).toEqual([
    'exchanges.har',
    'junit.xml',
    'report.html',
    'report.json',
    'summary.md',
  ]);
});

test.each([
  [['--sandbox', 'nobody'], 'There is no sandbox or key "nobody"; there are main'],
  [['--sandbox', 'gold_good'], 'There is no sandbox or key "gold_good"; there are main'],
  [
    ['--token'],
    '--token needs a value: --token <token>. See npx petstore-contract judge-journal --help.',
  ],
  [['--journal', 'x.json'], '--mock cannot be used with --journal.'],
] as const)('%j could not be judged', async (argv, reason) => {
  const [code, out, err] = await judge(...argv);
  expect([code, out]).toEqual([2, '']);
  expect(err.replaceAll(baseUrl, 'MOCK')).toContain(`petstore judge-journal: ${reason}`);
  expect(err.split('\n').length).toBe(2);
});

test.each([
  [
    ['--mock', 'localhost'],
    '--mock must be an address such as http://127.0.0.1:4010, not "localhost".',
  ],
  [
    ['--mock', 'http://127.0.0.1:9'],
    'No mock responds at http://127.0.0.1:9: connect ECONNREFUSED 127.0.0.1:9.',
  ],
  [
    ['--journal', packageFile('package.json')],
    `${packageFile('package.json')} is not a journal: It has no exchanges: it must be the response to GET /_mock/sandboxes/{sandbox}/journal.`,
  ],
  [['--journal', packageFile('LICENSE')], `${packageFile('LICENSE')} is not valid JSON: `],
  [['--journal', packageFile('no-such.json')], `${packageFile('no-such.json')} does not exist.`],
] as const)('%j could not be judged either', async (argv, reason) => {
  const command = startCommand('judge-journal', ...argv);
  expect([await command.ended, command.stdout()]).toEqual([2, '']);
  expect(command.stderr()).toContain(`petstore judge-journal: ${reason}`);
  expect(command.stderr().split('\n').length).toBe(2);
});

/** Endless bytes, as JSON. */
const endless: RequestListener = (_, response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  const chunk = Buffer.alloc(1024 * 1024, '[');
  const write = (): void => {
    while (!response.destroyed && response.write(chunk));
  };
  response.on('drain', write);
  write();
};
const bomb = gzipSync(Buffer.alloc(100 * 1024 * 1024, '['));

test.for<[name: string, listener: RequestListener, reason: string]>([
  ['never ends', endless, 'No mock responds at'],
  [
    'unpacks to much more',
    (_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb),
    'No mock responds at',
  ],
  [
    'leads elsewhere',
    (_, response) => response.writeHead(302, { location: baseUrl }).end(),
    'is not a petstore mock',
  ],
  ['is cut', (_, response) => response.socket?.destroy(), 'No mock responds at'],
  ...['{}', '[1]', '[{}]', 'null', '[{"name":1}]', 'x', '', '{"message":"a"}', '[[[[[['].map(
    (body): [string, RequestListener, string] => [
      `is ${body}`,
      (_, response) => response.writeHead(200).end(body),
      'is not a petstore mock',
    ],
  ),
  [
    'has a journal of another shape',
    (request, response) =>
      response.end(request.url?.endsWith('/sandboxes') === true ? '[{"name":"main"}]' : '{"a":1}'),
    'is not a petstore mock',
  ],
  [
    'refuses with much',
    (_, response) =>
      response.writeHead(403).end(JSON.stringify({ message: `no${'o'.repeat(1e6)}` })),
    'refused: nooo',
  ],
])('a response that %s ends in one short line', async ([, listener, reason]) => {
  const origin = await startPlainServer(listener);
  const command = startCommand('judge-journal', '--mock', origin);
  expect([await command.ended, command.stdout()]).toEqual([2, '']);
  expect(command.stderr()).toContain(reason);
  expect(command.stderr()).toMatch(/^petstore judge-journal: [^\n]{1,700}\n$/);
});

test('an empty journal is inconclusive', async () => {
  await control.call('resetState', { sandbox: 'silent' });
  expect(await judge('--sandbox', 'silent')).toEqual([
    2,
    '',
    'petstore judge-journal: Nothing to judge: the journal of silent has no requests.\n',
  ]);
});
