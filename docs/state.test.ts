import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Command, startCommand } from '../test/cli/command.ts';
import { startMock } from '../mock/integrations/start/start.ts';
import { blocksOf, curlLines, sendCurl } from '../test/docs/curl.ts';

const page = await readFile(new URL('state.md', import.meta.url), 'utf8');

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'petstore-state-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

/** The commands of the page that start a mock, as their words. */
const commands = blocksOf(page, 'sh')
  .flatMap((block) => block.split('\n'))
  .filter((line) => line.startsWith('npx petstore-contract mock '))
  .map((line) => line.split(' ').slice(2));

const start = async (): Promise<readonly [Command, string]> => {
  const words = (commands[0] ?? []).map((word) => word.replace('./petstore-state', folder));
  const command = startCommand(...words, '--port', '0', '--no-watch');
  const [, url = ''] = await command.printed(/is mocked at (\S+)/);
  return [command, new URL(url).origin];
};

test('stored items survive a restart, as the page says', { timeout: 30_000 }, async () => {
  const [add = '', read = ''] = curlLines(page);
  const [first, origin] = await start();
  expect(first.stdout()).toContain(`Sandboxes are kept in file:${folder}.`);
  expect(await sendCurl(add, origin)).toMatchObject([201, expect.stringContaining('Rex')]);
  const taken = startCommand('mock', '--port', '0', '--state', `file:${folder}`);
  expect([await taken.ended, taken.stderr()]).toEqual([
    2,
    expect.stringContaining('Another process stores its state in'),
  ]);
  await first.stop();
  const [second, later] = await start();
  expect(await sendCurl(read, later)).toMatchObject([200, expect.stringContaining('Rex')]);
  await second.stop();
});

test('the API stores state too, and changes sandboxes as the page says', async () => {
  const state = `file:${join(folder, 'program')}`;
  const send = async (url: string): Promise<number> => {
    const headers = { authorization: 'Bearer free_alice', 'content-type': 'application/json' };
    const body = JSON.stringify({ name: 'Rex', categoryId: 1 });
    await fetch(`${url}/pets`, { method: 'POST', headers, body });
    return (await fetch(`${url}/pets/31`, { headers })).status;
  };
  const first = await startMock({ state });
  expect(await send(first.url)).toBe(200);
  await first.close();
  await using second = await startMock({ state });
  expect(await send(second.url)).toBe(200);
  const [snippet = ''] = blocksOf(page, 'ts');
  expect(snippet).toContain("control.within(['alice'], () => control.sandbox('alice').reset())");
  const control = await second.mock.control();
  await control.within(['alice'], () => control.sandbox('alice').reset());
  const headers = { authorization: 'Bearer free_alice' };
  expect((await second.mock.fetch('http://mock/v1/pets/31', { headers })).status).toBe(404);
});

test.each([
  ['nowhere', 'is not an address for state'],
  ['valkey://127.0.0.1:1', 'cannot be reached'],
  ['file:/dev/null/x', '/dev/null'],
])('an unusable location is reported: %s', async (place, output) => {
  const command = startCommand('mock', '--port', '0', '--state', place);
  expect(await command.ended).toBe(2);
  expect(command.stderr()).toContain(output);
  expect(command.stderr()).not.toMatch(/^ +at /m);
});
