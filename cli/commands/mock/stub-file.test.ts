import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Command, startCommand } from '../../../test/cli/command.ts';

let folder: string;
let file: string;
let command: Command | undefined;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'petstore-'));
  file = join(folder, 'stubs.yaml');
});
afterEach(async () => {
  await command?.stop();
  command = undefined;
  await rm(folder, { recursive: true });
});

const write = async (text: string): Promise<void> => {
  await writeFile(`${file}.new`, text);
  await rename(`${file}.new`, file);
};

const start = (...argv: readonly string[]): Command =>
  (command = startCommand('mock', '--port', '0', '--stubs', file, ...argv));

test('a file of stubs is in every sandbox, is judged, and is read again when it changes', async () => {
  await write('- { response: { status: 418 }, request: { operation: listPets } }\n');
  const running = start();
  const [, url = ''] = await running.printed(/is mocked at (\S+)/);
  const status = async (key: string): Promise<number> =>
    (await fetch(`${url}/pets`, { headers: { authorization: `Bearer ${key}` } })).status;
  expect([await status('demo-free'), await status('free_a')]).toEqual([418, 418]);
  expect(running.stderr()).toContain(
    `${file}: stub 1 breaks the contract: listPets does not document status 418, only 200, 401, 429.`,
  );
  await running.printed(/418[^\n]*\n {9}stub: file-1\n {9}hint: file-1 breaks the contract/);
  await write('- { response: { status: 4180 } }\n');
  await running.printed(
    /the previous stubs stay in use: .*\/0\/response\/status has to be a whole/,
  );
  expect(await status('free_b')).toBe(418);
  await write('[{"response": {"body": []}, "sandbox": "b"}]');
  await running.printed(/stubs\.yaml was reloaded: 1 stub\n/);
  expect([await status('free_a'), await status('free_b')]).toEqual([200, 200]);
  await rm(file);
  await running.printed(/the previous stubs stay in use: .*does not exist/);
});

test('its changes are logged as a line of JSON with --log json', async () => {
  await write('[]');
  const running = start('--log', 'json');
  await running.printed(/"kind":"listening"/);
  await write('- { response: {} }');
  const [, line = ''] = await running.printed(/(\{"kind":"stubs".*\})\n/);
  expect(JSON.parse(line)).toMatchObject({ source: file, count: 1 });
});

test('a stored state keeps the uses of stubs, and reads the stub file again', async () => {
  const state = ['--no-watch', '--state', `file:${join(folder, 'state')}`];
  const list = async (running: Command): Promise<readonly string[]> => {
    const [, url = ''] = await running.printed(/is mocked at (\S+)/);
    const texts: string[] = [];
    for (let count = 0; count < 2; count += 1) {
      const response = await fetch(`${url}/pets?limit=1`, {
        headers: { authorization: 'Bearer demo-free' },
      });
      texts.push(await response.text());
    }
    return texts.map((text) => (text === '[]' ? 'stub' : 'mock'));
  };
  await write('- { request: { operation: listPets }, response: { body: [] }, times: 3 }');
  expect(await list(start(...state))).toEqual(['stub', 'stub']);
  await command?.stop();
  expect(await list(start(...state))).toEqual(['stub', 'mock']);
  await command?.stop();
  await write('- { request: { operation: listPets }, response: { body: [] }, times: 1 }');
  expect(await list(start(...state))).toEqual(['stub', 'mock']);
});

test.for<readonly [string, string]>([
  ['{}', 'the whole has to be a list'],
  ['- a: [', 'line 1'],
  ['- { request: {} }', 'A stub needs either response or responses.'],
  ['- { request: { operation: getPets }, response: {} }', 'did you mean getPet?'],
])('%s is not a stub file', async ([text, reason]) => {
  await write(text);
  const running = start();
  expect(await running.ended).toBe(2);
  expect(running.stderr()).toContain(reason);
});
