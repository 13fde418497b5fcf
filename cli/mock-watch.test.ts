import { cp, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { packageFile } from './package-root.ts';
import { type Command, startCommand } from './testing/command.ts';

let folder: string;
let command: Command;
beforeEach(async () => { folder = await mkdtemp(join(tmpdir(), 'petstore-')); });
afterEach(async () => {
  await command.stop();
  await rm(folder, { recursive: true });
});

/** Writes a file as editors do: a new one in the place of the old one. */
const edit = async (file: string, from: string, to: string): Promise<void> => {
  const text = await readFile(file, 'utf8');
  if (!text.includes(from)) throw new Error(`The file has no ${from}.`);
  await writeFile(`${file}.new`, text.replace(from, to));
  await rename(`${file}.new`, file);
};

const start = async (file: string, ...argv: readonly string[]): Promise<string> => {
  command = startCommand('mock', '--port', '0', '--seed', 'none', '--contract', file, ...argv);
  return (await command.printed(/is mocked at (\S+)/))[1] ?? '';
};

test('a document that changes is served, a broken one is not, and items are kept', async () => {
  const file = join(folder, 'openapi.yaml');
  await cp(packageFile('openapi.yaml'), file);
  const url = await start(file);
  const headers = { 'authorization': 'Bearer free_a', 'content-type': 'application/json' };
  await fetch(`${url}/pets`, { method: 'POST', headers, body: '{"name":"Rex","categoryId":1}' });
  await edit(file, 'maximum: 100, default: 20', 'maximum: 7, default: 5');
  await command.printed(/openapi\.yaml was read again\n {9}changed the operation listPets\n/);
  const status = async (limit: number): Promise<number> => (await fetch(`${url}/pets?limit=${limit}`, { headers })).status;
  expect([await status(8), await status(7)]).toEqual([400, 200]);
  await edit(file, 'openapi: 3.1.0', 'openapi: [');
  await command.printed(/petstore mock: the document is served as it was before: openapi\.yaml.*\n/);
  expect(await (await fetch(`${url}/pets`, { headers })).json()).toEqual([expect.objectContaining({ name: 'Rex' })]);
  await edit(file, 'openapi: [', 'openapi: 3.1.0');
  await edit(file, 'maximum: 7', 'maximum: 9');
  await expect.poll(() => status(9), { timeout: 10_000 }).toBe(200);
});

test('a file that it refers to is watched too', async () => {
  await cp(packageFile('fixtures/documents/folder'), folder, { recursive: true });
  const url = await start(join(folder, 'openapi.yaml'), '--log', 'json');
  expect(url).toMatch(/^http/);
  const pen = join(folder, 'schemas/pen.json');
  await edit(pen, '"properties": {', '"properties": { "nib": { "type": "string" },');
  const [, line = ''] = await command.printed(/(\{"kind":"reload".*\})\n/);
  expect(JSON.parse(line)).toMatchObject({ kind: 'reload', changes: expect.arrayContaining([expect.stringMatching(/^added the field of \/pens nib$/)]), misfits: [] });
});
