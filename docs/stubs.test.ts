import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Command, startCommand } from '../test/cli/command.ts';
import { parseValueText } from '../contract/source/text.ts';
import { createMock } from '../mock/index.ts';
import { petstore } from '../test/contract/petstore.ts';
import { blocksOf, curlLines, sendCurl } from '../test/docs/curl.ts';

const page = await readFile(new URL('stubs.md', import.meta.url), 'utf8');

let folder: string;
let command: Command;
let origin: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'petstore-'));
  const file = join(folder, 'stubs.yaml');
  await writeFile(file, blocksOf(page, 'yaml')[0] ?? '');
  command = startCommand('mock', '--port', '0', '--no-watch', '--stubs', file);
  origin = new URL((await command.printed(/is mocked at (\S+)/))[1] ?? '').origin;
});
afterAll(async () => {
  await command.stop();
  await rm(folder, { recursive: true });
});

test('the curl lines of the page work in sequence', async () => {
  const responses: (readonly [number, string])[] = [];
  for (const line of curlLines(page)) responses.push(await sendCurl(line, origin));
  expect(responses.map(([status]) => status)).toEqual([200, 500, 400, 201, 418, 200, 204, 204]);
  expect(responses[0]?.[1]).toBe('{"id":7,"name":"Rex","categoryId":1}');
  expect(responses[5]?.[1]).toContain('"applied":1');
  expect(command.stderr()).toContain('listPets does not document status 500');
});

test('the scenario of the page works', async () => {
  const value = await parseValueText(blocksOf(page, 'yaml')[1] ?? '', 'stubs.yaml');
  const control = await createMock(petstore).control();
  expect(control.readStubs(value ?? null)).toHaveLength(2);
});

test('the snippet of the page fails once', async () => {
  const file = join(folder, 'fail-once.ts');
  const [snippet = ''] = blocksOf(page, 'ts');
  const client = new URL('../mock/control/client.ts', import.meta.url).href;
  const local = snippet.replace('petstore-contract/control', client);
  await writeFile(file, local.replace('http://127.0.0.1:4010', origin));
  const { failOnce } = await import(file);
  const uses = await failOnce('once');
  const statuses: number[] = [];
  for (let count = 0; count < 2; count += 1) {
    const headers = { authorization: 'Bearer free_once' };
    statuses.push((await fetch(`${origin}/v1/pets`, { headers })).status);
  }
  expect([statuses, await uses()]).toEqual([[503, 200], 1]);
});
