import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Command, startCommand } from '../test/cli/command.ts';
import { curlLines, sendCurl } from '../test/docs/curl.ts';

let command: Command;
let origin: string;
beforeAll(async () => {
  command = startCommand('mock', '--port', '0', '--no-watch');
  origin = new URL((await command.printed(/is mocked at (\S+)/))[1] ?? '').origin;
});
afterAll(async () => {
  await command.stop();
});

/** The responses to the curl lines of a page, sent from first to last. */
const sendAll = async (page: string): Promise<readonly (readonly [number, string])[]> => {
  const responses: (readonly [number, string])[] = [];
  for (const line of curlLines(page)) responses.push(await sendCurl(line, origin));
  return responses;
};

test('the item of the README comes back', async () => {
  const page = await readFile(new URL('../README.md', import.meta.url), 'utf8');
  const [created, read] = await sendAll(page);
  expect([created?.[0], read]).toEqual([201, [200, created?.[1]]]);
  expect(page).toContain(created?.[1] ?? 'nothing');
});

test('the tutorial works as written, and ends with a failing server', async () => {
  const page = await readFile(new URL('tutorial.md', import.meta.url), 'utf8');
  const responses = await sendAll(page);
  expect(responses.map(([status]) => status)).toEqual([
    201, 200, 400, 200, 429, 200, 200, 201, 503, 201, 200, 404, 204, 201, 200, 201,
  ]);
  expect(page).toContain(responses[1]?.[1]);
  expect(responses[11]?.[1]).toContain('getPet was removed on 2030-12-05');
  const target = ['--base-url', `${origin}/v1`, '--api-key', 'demo-business'];
  const judged = startCommand('conform', ...target, '--quiet');
  expect([await judged.ended, judged.stdout()]).toEqual([
    1,
    expect.stringContaining('breaks     getPet/status.200'),
  ]);
});
