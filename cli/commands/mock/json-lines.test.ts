import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isJsonObject, parseJson } from '../../../contract/json/value.ts';
import { createControlClient } from '../../../mock/control/client.ts';
import { packageFile } from '../../package/package-root.ts';
import { petstore } from '../../../test/contract/petstore.ts';
import { createMock } from '../../../mock/index.ts';
import { type Command, startCommand } from '../../../test/cli/command.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'petstore-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});

type Line = Readonly<Record<string, unknown>>;

/** Every line of standard output, each an object of JSON. */
const linesOf = (command: Command): readonly Line[] =>
  command
    .stdout()
    .split('\n')
    .slice(0, -1)
    .map((line) => {
      const value = parseJson(line);
      if (!isJsonObject(value)) throw new Error(`No object: ${line}`);
      return value;
    });

const urlOf = async (command: Command): Promise<string> =>
  (await command.printed(/"url":"([^"]+)"/))[1] ?? '';

const kindsOf = (command: Command): readonly unknown[] => linesOf(command).map(({ kind }) => kind);

test('--log json prints JSON lines and nothing else: start, requests, faults, reload, stop', async () => {
  const file = join(folder, 'openapi.yaml');
  await cp(packageFile('openapi.yaml'), file);
  const report = join(folder, 'report.json');
  const judged = await createMock(petstore, { choices: { 'invalid-limit': 'clamped' } }).listen();
  const flags = ['--api-key', 'demo-free', '--read-only', '--quiet', '--report', folder];
  await startCommand('conform', judged.url, ...flags).ended;
  await judged.close();
  const tls = ['--tls-key', packageFile('fixtures/tls/key.pem')];
  tls.push('--tls-cert', packageFile('fixtures/tls/cert.pem'));
  const argv = ['--log', 'json', '--port', '0', ...tls, '--contract', file, '--like', report];
  const command = startCommand('mock', ...argv, '--seed', 'none');
  const url = await urlOf(command);
  const control = url.replace(/\/v1$/, '/_mock');
  const { fetch, close } = await insecureFetch();
  const headers = { authorization: 'Bearer free_a', 'content-type': 'application/json' };
  await fetch(`${url}/pets?limt=3`, { headers });
  await fetch(`${url}/pets`, { headers: { authorization: 'Bearer nobody' } });
  const fault = { method: 'POST', headers, body: '{"status":503,"count":1}' };
  await fetch(`${control}/sandboxes/a/faults`, fault);
  await fetch(`${url}/pets`, { headers });
  await fetch(`${new URL(url).origin}/nowhere\u001b[2J`, { headers });
  await writeFile(file, (await readFile(file, 'utf8')).replace('title: ', 'title: New '));
  await command.printed(/"kind":"reload"/);
  await writeFile(file, 'openapi: [');
  await command.printed(/still serving the previous version/);
  await command.stop();
  await close();
  expect(kindsOf(command)).toEqual([
    'listening',
    'request',
    'request',
    'request',
    'request',
    'reload',
    'closed',
  ]);
  const [listening, first, second, third, fourth, reload, closed] = linesOf(command);
  const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/);
  expect(listening).toMatchObject({
    at: instant,
    url,
    page: `${control}/`,
    document: { title: expect.any(String), version: '1.0.0', source: 'openapi.yaml' },
    keys: expect.arrayContaining([
      { key: 'demo-free', plan: 'Free', limits: { minute: 60, day: 1000 } },
    ]),
    choices: { 'invalid-limit': 'clamped' },
    like: report,
    certificate: { fingerprint: expect.stringMatching(/^([0-9A-F]{2}:){31}/), until: instant },
  });
  expect(first).toMatchObject({ operation: 'listPets', status: 200, hints: [{}], at: instant });
  expect(second).toMatchObject({ credential: 'invalid', refusal: { check: 'credential' } });
  expect(third).toMatchObject({ status: 503, fault: { id: 'fault-1', effect: 'status 503' } });
  expect(fourth).toMatchObject({ status: 404 });
  expect(reload).toMatchObject({ source: 'openapi.yaml', setAside: [], leftOut: [], at: instant });
  expect(closed).toMatchObject({ at: instant });
});

test('a request is a line with the members of the journal, except request bodies', async () => {
  const command = startCommand('mock', '--port', '0', '--no-watch', '--log', 'json');
  const url = await urlOf(command);
  const client = createControlClient(url);
  const body = '{"name":"free_alice","categoryId":1}';
  const headers = { authorization: 'Bearer free_alice', 'content-type': 'application/json' };
  await fetch(`${url}/pets?key=free_alice`, { method: 'POST', headers, body });
  await fetch(`${url}/pets?limit=0`, { headers: { ...headers, prefer: 'wait=0' } });
  const { exchanges } = await client.call('readJournal', { sandbox: 'alice' });
  await command.stop();
  const [, ...requests] = linesOf(command).filter(({ kind }) => kind !== 'closed');
  expect(requests).toEqual(
    exchanges.map(({ body: _body, callbacks: _callbacks, ...shown }) => ({
      kind: 'request',
      ...Object(parseJson(JSON.stringify(shown))),
    })),
  );
  expect(requests[0]).toMatchObject({ keyElsewhere: true, target: '/v1/pets?key=[key]' });
  expect(command.stdout()).not.toContain('free_alice');
});

test('--quiet leaves the requests out', async () => {
  const command = startCommand('mock', '--port', '0', '--no-watch', '--log', 'json', '--quiet');
  await fetch(`${await urlOf(command)}/pets`);
  await command.stop();
  expect(kindsOf(command)).toEqual(['listening', 'closed']);
});

test('every request answered before the exit is written, however soon that is', async () => {
  const command = startCommand('mock', '--port', '0', '--no-watch', '--log', 'json');
  await fetch(`${await urlOf(command)}/pets`);
  await command.stop();
  expect(kindsOf(command)).toEqual(['listening', 'request', 'closed']);
});

/** A client that takes every certificate. */
async function insecureFetch() {
  const { Agent, fetch } = await import('undici');
  const dispatcher = new Agent({ connect: { rejectUnauthorized: false } });
  return {
    fetch: async (url: string, init: object) => await fetch(url, { ...init, dispatcher }),
    close: () => dispatcher.close(),
  };
}
