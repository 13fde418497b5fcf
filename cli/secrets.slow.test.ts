import { once } from 'node:events';
import { createServer, STATUS_CODES } from 'node:http';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inflateRawSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runPetstore } from './main.ts';

/** A text in the forms in which a careless server, or a careless client, shows a secret. */
function listForms(secret: string): readonly string[] {
  const bytes = Buffer.from(secret);
  const swapped = secret.replace(/[a-z]/gi, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );
  const escaped = (write: (code: string) => string): string =>
    Array.from(secret, (each) => write((each.codePointAt(0) ?? 0).toString(16))).join('');
  return [
    secret,
    secret.toUpperCase(),
    secret.toLowerCase(),
    swapped,
    `${secret}x`,
    secret.slice(0, -1),
    encodeURIComponent(secret),
    encodeURIComponent(encodeURIComponent(secret)),
    escaped((code) => `%${code}`),
    escaped((code) => `\\u${code.padStart(4, '0')}`),
    escaped((code) => `&#x${code};`),
    bytes.toString('base64'),
    Buffer.from(`Bearer ${secret}`).toString('base64'),
    Buffer.from(`user:${swapped}`).toString('base64url'),
    Buffer.from(secret.slice(0, -1)).toString('base64'),
    bytes.toString('hex'),
    bytes.toString('hex').toUpperCase(),
    Buffer.from(swapped).toString('hex'),
    Array.from(secret).toReversed().join(''),
    Array.from(swapped).toReversed().join(''),
  ];
}

/** A server that shows the secrets, and the credentials that it is sent, wherever HTTP takes a text. */
async function startEchoingTarget(secrets: readonly string[]) {
  let count = 0;
  const server = createServer((request, response) => {
    request.resume();
    count += 1;
    const sent = request.headers.authorization?.replace(/^\S+ /, '') ?? '';
    const bytes = Buffer.from(sent);
    const echoes = [sent, bytes.toString('base64'), bytes.toString('hex')];
    const forms = [...secrets.flatMap(listForms), ...(sent === '' ? [] : echoes)];
    const form = forms[count % forms.length] ?? '';
    const all = forms.join(' ');
    // A run whose first look finds nothing ends there.
    const isFirstLook = request.url?.endsWith('limit=100') ?? false;
    const status = isFirstLook ? 200 : ([200, 201, 404, 500, 401][count % 5] ?? 200);
    const name = form.replaceAll(/[^\w-]/g, '');
    response.writeHead(status, `${STATUS_CODES[status]} ${form}`, {
      'content-type': count % 3 === 0 ? `text/plain; a="${form}"` : 'application/json',
      location: `/v1/pets/${form}`,
      'set-cookie': `key=${form}; Path=/`,
      'www-authenticate': `Bearer realm="${form}"`,
      'x-ratelimit-limit': form,
      'x-ratelimit-remaining': all.slice(0, 4000),
      [`x-${name || 'none'}`]: form,
    });
    const item = { id: count % 7 === 0 ? form : 1, name: all, [form]: form };
    const body = JSON.stringify(count % 2 === 0 ? [item] : { code: form, message: all, ...item });
    // In chunks that end within the secrets.
    for (let at = 0; at < body.length; at += 1009) response.write(body.slice(at, at + 1009));
    response.end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : '';
  return {
    host: `127.0.0.1:${port}`,
    close: async (): Promise<void> => {
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
}

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'petstore-secrets-'));
});
afterAll(async () => await rm(folder, { recursive: true, force: true }));

const at = (...path: readonly string[]): string => join(folder, ...path);

/** Names of the forms of a secret that a text holds: none in a good one. */
function findForms(text: string, secrets: readonly string[]): readonly string[] {
  const all = [text, ...listHidden(text)];
  return secrets.flatMap((secret) =>
    listForms(secret).filter((form) => {
      // Two characters at either end may be those of a longer text, in Base64 above all.
      const core = form.length > 12 ? form.slice(2, -4) : form;
      return all.some((one) => one.includes(core));
    }),
  );
}

/** What a text holds in a form of its own: payloads of certificates and replay ids. */
function listHidden(text: string): readonly string[] {
  const payloads = text.match(/(?<="payload": ?")[A-Za-z0-9+/=]+/g) ?? [];
  const replays = text.match(/[\w-]{60,}/g) ?? [];
  return [
    ...payloads.map((each) => Buffer.from(each, 'base64').toString()),
    ...replays.flatMap((each) => {
      try {
        return [inflateRawSync(Buffer.from(each, 'base64url')).toString()];
      } catch {
        return [];
      }
    }),
  ];
}

/** Runs a command in this process, until `during` has ended where it is given. */
async function run(
  argv: readonly string[],
  env: Readonly<Record<string, string>> = {},
  during?: (printed: () => string) => Promise<void>,
): Promise<string> {
  let printed = '';
  const sink = { write: (text: string): void => void (printed += text) };
  const stop = new AbortController();
  const ended = runPetstore(argv, {
    stdout: sink,
    stderr: sink,
    workflow: sink,
    env: { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: at('job.md'), ...env },
    signal: stop.signal,
  });
  if (during !== undefined) {
    await during(() => printed);
    stop.abort();
  }
  await ended;
  return printed;
}

/** Where a secret appears: in the output, in each file that a test wrote, in the job summary. */
async function findLeaks(
  printed: string,
  secrets: readonly string[],
  ...names: readonly string[]
): Promise<readonly string[]> {
  const texts = new Map([['printed', printed]]);
  for (const name of names)
    for (const file of await readdir(at(name)))
      texts.set(join(name, file), await readFile(at(name, file), 'utf8'));
  texts.set('job.md', await readFile(at('job.md'), 'utf8').catch(() => ''));
  return [...texts].flatMap(([name, text]) =>
    text.split('\n').flatMap((line) => {
      const [form] = findForms(line, secrets);
      return form === undefined ? [] : [`${name}: ${form} in ${line.slice(0, 600)}`];
    }),
  );
}

const keys = [
  'business_Qz7fK9xWv3nT-ada',
  'Qz7/fK9+Wv~3nT.x2==',
  'e7Kp2-9xQw',
  '918273645546372819',
];
const password = 'pw-Zx81-Kk29-Lm';

test.for(keys)(
  'conform and merge never print %s in any encoding',
  { timeout: 240_000 },
  async (key) => {
    const target = await startEchoingTarget([key]);
    const secrets = [key];
    const url = `http://${target.host}/v1`;
    const given = { PETSTORE_API_KEY: key };
    const name = keys.indexOf(key).toString();
    await run(['keygen', '--out', at(`pem-${name}`)]);
    const sign = [
      '--target-name',
      'shop',
      '--target-version',
      '1',
      '--sign',
      at(`pem-${name}.pem`),
    ];
    const base = ['conform', '--base-url', url, '--requests', '60', '--timeout', '5'];
    let printed = await run(
      [...base, '--certify', ...sign, '--report', at(`report-${name}`)],
      given,
    );
    printed += await run([...base, '--save', at(`saved-${name}`)], given);
    const replay = /--replay '(\S+?)'/.exec(printed)?.[1] ?? '';
    expect([printed, replay]).not.toEqual([printed, '']);
    printed += await run(['conform', '--base-url', url, '--replay', replay], given);
    for (const index of [1, 2])
      printed += await run(
        [
          ...base,
          '--fuzz',
          '100',
          '--shard',
          `${index}/2`,
          '--report',
          at(`shard-${name}-${index}`),
        ],
        given,
      );
    const shards = [1, 2].map((index) => at(`shard-${name}-${index}`));
    printed += await run(['merge', ...shards, '--report', at(`merged-${name}`)]);
    printed += await run(['judge', at(`report-${name}`, 'exchanges.har')]);
    expect(
      await findLeaks(
        printed,
        secrets,
        ...['report', 'saved', 'merged'].map((each) => `${each}-${name}`),
        ...[1, 2].map((index) => `shard-${name}-${index}`),
      ),
    ).toEqual([]);
    await target.close();
  },
);

test.for(keys)('diff never prints %s in any encoding', { timeout: 240_000 }, async (key) => {
  const target = await startEchoingTarget([]);
  const url = `http://${target.host}/v1`;
  const other = 'business_Mm5-Pp8-Tt2-bob';
  const argv = ['diff', url, `${url}/`, '--api-key-a', key, '--api-key-b', other];
  const printed = (await run(argv)) + (await run([...argv, '--json']));
  expect(await findLeaks(printed, [key, other])).toEqual([]);
  await target.close();
});

test.for(keys)(
  'proxy and judge never print %s in any encoding',
  { timeout: 240_000 },
  async (key) => {
    const target = await startEchoingTarget([key]);
    const name = `proxy-${keys.indexOf(key)}`;
    const argv = ['proxy', '--target', `http://${target.host}/v1`, '--port', '0'];
    const headers = { authorization: `Bearer ${key}` };
    const printed = await run([...argv, '--report', at(name)], {}, async (shown) => {
      await expect.poll(shown).toMatch(/listens on \S+/);
      const url = /listens on (\S+)/.exec(shown())?.[1] ?? '';
      for (const path of ['/pets', '/pets?limit=0', '/pets/1', '/pets/x', '/none', '/pets'])
        await (await fetch(url + path, { headers })).text();
      const body = '{"name":"a","categoryId":1}';
      for (const content of [body, body, '{', body, body])
        await (await fetch(`${url}/pets`, { method: 'POST', headers, body: content })).text();
    });
    expect(await findLeaks(printed, [key], name)).toEqual([]);
    await target.close();
  },
);

test('an invalid base URL is reported without its password', async () => {
  const url = `http://ada:${password}@127.0.0.1:1/v1?x=1`;
  let printed = '';
  for (const argv of [
    ['conform', '--base-url', url],
    ['conform', '--base-url', `ftp://ada:${password}@host/`],
    ['conform', '--base-url', `//ada:${password}@host/`],
    ['conform', '--base-url', `http://ada:a/${password}@host/`],
    ['mock', '--state', `valkey://ada:a/${password}@host`],
    ['conform', '--base-url', `http://ada:${password}@127.0.0.1:1/v1`],
    ['diff', url, url],
    ['proxy', '--target', url],
    ['mock', '--seed-from', url, '--port', '0'],
    ['mock', '--like', url, '--port', '0'],
    ['judge-journal', '--mock', url],
    ['conform', '--contract', url],
    ['lint', url],
  ]) {
    const shown = await run(argv);
    expect([argv, findForms(shown, [password])]).toEqual([argv, []]);
    printed += shown;
  }
  expect(await findLeaks(printed, [password])).toEqual([]);
});

test('the mock never prints its control token', { timeout: 60_000 }, async () => {
  const token = 'ctl-Zq81-Xx92-Pp';
  for (const log of [[], ['--log', 'json']]) {
    const argv = ['mock', '--port', '0', '--control-token', token, ...log];
    const printed = await run(argv, {}, async (shown) => {
      await expect.poll(shown).toMatch(/http:\/\/127\.0\.0\.1:\d+/);
      const port = /http:\/\/127\.0\.0\.1:(\d+)/.exec(shown())?.[1] ?? '';
      const origin = `http://127.0.0.1:${port}`;
      for (const form of listForms(token)) {
        const headers = { authorization: `Bearer ${encodeURIComponent(form)}` };
        await fetch(`${origin}/_mock/sandboxes`, { headers });
      }
      await fetch(`${origin}/v1/pets`, { headers: { authorization: `Bearer ${token}` } });
      await fetch(`${origin}/v1/end`);
      await expect.poll(shown).toContain('/v1/end');
    });
    expect(await findLeaks(printed, [token])).toEqual([]);
  }
});

test('certify-client never prints what it passes to the client', { timeout: 240_000 }, async () => {
  const given = ['tok-Zq81-Xx92-Pp', 'sec/9+Kx71Lm==', 'pw-1x9Kq-77'];
  const [token = '', secret = '', word = ''] = given;
  const client = at('client.mjs');
  await writeFile(
    client,
    `const forms = ${JSON.stringify(given.flatMap(listForms))};
for (const form of forms) { console.log(form); console.error('error: ' + form); }
const { PETSTORE_BASE_URL: url, PETSTORE_API_KEY: key } = process.env;
console.log(key, Buffer.from(key).toString('base64'));
await fetch(url + '/pets', { headers: { authorization: 'Bearer ' + key } }).then((each) => each.text());
process.exitCode = 1;
`,
  );
  await run(['keygen', '--out', at('client')]);
  const printed = await run([
    'certify-client',
    '--scenario',
    'plain',
    '--certify',
    '--target-name',
    'c',
    '--target-version',
    '1',
    '--sign',
    at('client.pem'),
    '--report',
    at('client-report'),
    '--',
    process.execPath,
    client,
    `--token=${token}`,
    '--client-secret',
    secret,
    `http://ada:${word}@127.0.0.1/`,
  ]);
  expect(await findLeaks(printed, given, 'client-report')).toEqual([]);
});
