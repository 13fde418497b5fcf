import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startCommand } from '../../test/cli/command.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'petstore-judge-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});

const pet = { id: 1, name: 'Rex', categoryId: 1, status: 'available' };

interface Parts {
  readonly url?: string;
  readonly answer?: unknown;
  readonly key?: string;
  readonly entry?: object;
}

/** An entry as Chromium exports it. */
const entryOf = ({ url = 'https://api.example/v1/pets', answer = [pet], key, entry }: Parts) => {
  const text = JSON.stringify(answer);
  return {
    _initiator: { type: 'script' },
    _resourceType: 'fetch',
    startedDateTime: '2026-06-01T12:00:00.000Z',
    time: 12.5,
    request: {
      method: 'GET',
      url,
      httpVersion: 'h2',
      headers: [
        { name: ':authority', value: 'api.example' },
        ...(key === undefined ? [] : [{ name: 'authorization', value: `Bearer ${key}` }]),
      ],
      queryString: [],
      cookies: [],
      headersSize: -1,
      bodySize: 0,
    },
    response: {
      status: 200,
      statusText: '',
      httpVersion: 'h2',
      headers: [
        { name: 'content-type', value: 'application/json' },
        { name: 'content-encoding', value: 'br' },
        { name: 'date', value: 'Mon, 01 Jun 2026 12:00:00 GMT' },
        { name: 'x-ratelimit-limit', value: '60' },
        { name: 'x-ratelimit-remaining', value: '59' },
        { name: 'x-ratelimit-reset', value: `${Date.UTC(2026, 5, 1, 12, 1) / 1000}` },
      ],
      cookies: [],
      content: { size: text.length, mimeType: 'application/json', text },
      redirectURL: '',
      headersSize: -1,
      bodySize: -1,
      _transferSize: 240,
    },
    cache: {},
    timings: { send: 0, wait: 12, receive: 0.5 },
    ...entry,
  };
};

async function save(name: string, content: unknown): Promise<string> {
  const file = join(folder, name);
  await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
}

const archive = (...parts: readonly Parts[]): object => ({
  log: {
    version: '1.2',
    creator: { name: 'WebInspector', version: '1' },
    entries: parts.map(entryOf),
  },
});

const judge = async (
  ...argv: readonly string[]
): Promise<readonly [code: number, out: string, err: string]> => {
  const command = startCommand('judge', ...argv);
  return [await command.ended, command.stdout(), command.stderr()];
};

test('a browser recording conforms, and requests to other servers are left out', async () => {
  const file = await save(
    'good.har',
    archive(
      {},
      { url: 'https://cdn.example/app.js', answer: '' },
      { answer: [{}], entry: { _fromCache: 'disk' } },
    ),
  );
  const [code, out, err] = await judge(file);
  expect([code, err]).toEqual([0, '']);
  expect(out).toContain('https://api.example/v1 conforms to Petstore 1.0.0, as far as was tested');
  expect(out).toContain('3 exchanges in ');
  expect(out).toContain(', 1 judged');
  expect(out).toContain('it came from the disk cache of the browser');
  expect(out).toContain('https://cdn.example is not below https://api.example/v1');
});

test('a response that breaks the contract fails, and the key is never shown', async () => {
  const file = await save(
    'bad.har',
    archive({
      key: 'key-of-ada-lovelace',
      answer: [{ ...pet, name: 7, id: 'key-of-ada-lovelace' }],
    }),
  );
  const report = join(folder, 'report');
  const [code, out] = await judge(file, '--report', report);
  expect(code).toBe(1);
  expect(out).toContain('listPets/response.200.body[].name.type');
  const json = await readFile(join(report, 'report.json'), 'utf8');
  expect(out + json).not.toContain('key-of-ada');
  const [again] = await judge(join(report, 'exchanges.har'));
  expect(again).toBe(1);
});

test('a recording without keys fails nobody for missing keys; one with keys does', async () => {
  const cleaned = await save('cleaned.har', archive({}, {}));
  const mixed = await save('mixed.har', archive({ key: 'key-of-ada-lovelace' }, {}));
  expect((await judge(cleaned))[0]).toBe(0);
  const [code, out] = await judge(mixed);
  expect([code, out.includes('listPets/auth.missing')]).toEqual([1, true]);
});

test.each([
  ['no-such.har', undefined, 'no-such.har does not exist.'],
  ['text.har', 'hello', 'text.har is not valid JSON: '],
  ['other.har', {}, 'other.har is not an HTTP Archive: /log is missing.'],
  [
    'entry.har',
    { log: { entries: [{ request: { method: 'GET', url: 7 }, response: { status: 200 } }] } },
    'entry.har is not an HTTP Archive: /log/entries/0/request/url has to be a text.',
  ],
  ['empty.har', archive(), 'Nothing to judge: '],
  [
    'stranger.har',
    archive({ url: 'https://other.example/a' }),
    'has no request that Petstore 1.0.0 describes; it has requests to https://other.example.',
  ],
])('%s is reported in one line', async (name, content, reason) => {
  const file = content === undefined ? join(folder, name) : await save(name, content);
  const [code, out, err] = await judge(file);
  expect([code, out]).toEqual([2, '']);
  expect(err).toContain(reason);
  expect(err.split('\n').length).toBe(2);
});

test('bodies in files beside the archive are judged, as Playwright attaches them', async () => {
  const sent = '{"name":"Rex","categoryId":1}';
  const attached = (name: string) => ({
    _file: name,
    size: sent.length,
    mimeType: 'application/json',
  });
  const parts = entryOf({});
  const entry = {
    request: {
      ...parts.request,
      method: 'POST',
      headers: [{ name: 'content-type', value: 'application/json' }],
      bodySize: sent.length,
      postData: { mimeType: 'application/json', params: [], text: '', _file: 'sent.json' },
    },
    response: { ...parts.response, status: 201, content: attached('received.json') },
  };
  const none = { response: { ...parts.response, content: attached('../x/received.json') } };
  const file = await save('attached.har', archive({ entry }, { entry: none }));
  await save('sent.json', sent);
  await save('received.json', { ...pet, name: 7 });
  const [code, out] = await judge(file);
  expect(code).toBe(1);
  expect(out).toContain('createPet/response.201.body.name.type');
  expect(out).toMatch(/1 time: the body of a response is in another file that is not next to/);
});

test('a link beside the archive is not followed out of its folder', async () => {
  const { response } = entryOf({});
  const secret = await mkdtemp(join(tmpdir(), 'secret-'));
  await writeFile(join(secret, 'own.json'), '[{"id":"hush-hush"}]');
  await symlink(join(secret, 'own.json'), join(folder, 'linked.json'));
  const content = { _file: 'linked.json', size: 20, mimeType: 'application/json' };
  const file = await save(
    'linked.har',
    archive({}, { entry: { response: { ...response, content } } }),
  );
  const [, out, err] = await judge(file);
  expect(out + err).toContain('in another file that is not next to');
  expect(out + err).not.toContain('hush-hush');
  await rm(secret, { recursive: true });
});

test('a ZIP of Playwright is rejected with the advice to unpack it', async () => {
  const file = await save('traffic.har.zip', 'PK\u0003\u0004');
  expect((await judge(file))[2]).toContain('is a ZIP archive. Unpack it');
});

test('an entry without a response or status is reported, and the others are judged', async () => {
  const { response } = entryOf({});
  const lost: readonly Parts[] = [
    { entry: { response: null } },
    { entry: { response: { ...response, status: null } } },
  ];
  const output = '2 times: no response is recorded (GET /pets)';
  const good = Array.from({ length: 18 }, (): Parts => ({}));
  const few = await save('few.har', archive(...good, ...lost));
  const [code, out] = await judge(few);
  expect([code, out.includes(output)]).toEqual([0, true]);
  const [many, outOfMany] = await judge(await save('many.har', archive({}, ...lost)));
  expect([many, outOfMany.includes(output)]).toEqual([2, true]);
});

test('a recording without bodies is inconclusive and says so first; wrong headers still fail', async () => {
  const { response } = entryOf({});
  const content = { size: 70, mimeType: 'application/json' };
  const headless = { response: { ...response, content, headers: response.headers.slice(0, 1) } };
  const bodiless = { response: { ...response, content } };
  const [code, out] = await judge(await save('omitted.har', archive({ entry: bodiless })));
  expect(code).toBe(2);
  expect(out.replace(/\s+/g, ' ')).toContain(
    'GET /pets: the body of the response is not recorded; 0 of 1 exchanges of its operations could be fully judged (0 %); at least 90 % are required',
  );
  const [failed] = await judge(await save('headless.har', archive({ entry: headless })));
  expect(failed).toBe(1);
});

test('--require-tested asks for more than 90 %', async () => {
  const lost: Parts = { entry: { response: null } };
  const good = Array.from({ length: 18 }, (): Parts => ({}));
  const file = await save('nearly.har', archive(...good, lost));
  expect((await judge(file))[0]).toBe(0);
  const [code, out] = await judge(file, '--require-tested', '95');
  expect(code).toBe(2);
  expect(out.replace(/\s+/g, ' ')).toContain(
    '18 of 19 exchanges of its operations could be fully judged (94 %); at least 95 % are required',
  );
  for (const share of ['89', '101', 'abc', '', '-1', '95.5']) {
    const [refused, , err] = await judge(file, '--require-tested', share);
    expect([refused, err.includes('--require-tested')]).toEqual([2, true]);
  }
});

test('no file and two files are rejected', async () => {
  expect((await judge())[2]).toContain('Wrong number of arguments.');
  expect((await judge('a.har', 'b.har'))[2]).toContain('Wrong number of arguments.');
});
