import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { loadContract } from '../../../contract/load.ts';
import { createMock } from '../../../mock/index.ts';
import { createEventPrinter } from './request-log.ts';
import { watchDocument } from './reload.ts';
import { packageFile } from '../../package/package-root.ts';
import { type Command, startCommand } from '../../../test/cli/command.ts';

let folder: string;
let command: Command | undefined;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'petstore-'));
});
afterEach(async () => {
  await command?.stop();
  command = undefined;
  await rm(folder, { recursive: true });
});

/** Writes a file as editors do: a new one in the place of the old one. */
const edit = async (file: string, from: string, to: string): Promise<void> => {
  const text = await readFile(file, 'utf8');
  if (!text.includes(from)) throw new Error(`The file has no ${from}.`);
  await writeFile(`${file}.new`, text.replace(from, to));
  await rename(`${file}.new`, file);
};

const printed = async (pattern: RegExp): Promise<RegExpExecArray> =>
  await (command?.printed(pattern) ?? Promise.reject(new Error('Nothing runs.')));

const start = async (file: string, ...argv: readonly string[]): Promise<string> => {
  command = startCommand('mock', '--port', '0', '--seed', 'none', '--contract', file, ...argv);
  return (await command.printed(/(?:is mocked at |"url":")([^\s"]+)/))[1] ?? '';
};

test('a changed document is served, a broken one is not, and items are kept', async () => {
  const file = join(folder, 'openapi.yaml');
  await cp(packageFile('openapi.yaml'), file);
  const url = await start(file);
  const headers = { authorization: 'Bearer free_a', 'content-type': 'application/json' };
  await fetch(`${url}/pets`, { method: 'POST', headers, body: '{"name":"Rex","categoryId":1}' });
  await edit(file, 'maximum: 100, default: 20', 'maximum: 7, default: 5');
  await printed(/openapi\.yaml was reloaded\n {9}changed operation listPets\n/);
  const status = async (limit: number): Promise<number> =>
    (await fetch(`${url}/pets?limit=${limit}`, { headers })).status;
  expect([await status(8), await status(7)]).toEqual([400, 200]);
  await edit(file, 'openapi: 3.1.0', 'openapi: [');
  await printed(
    /petstore mock: still serving the previous version of the document: openapi\.yaml.*\n/,
  );
  expect(await (await fetch(`${url}/pets`, { headers })).json()).toEqual([
    expect.objectContaining({ name: 'Rex' }),
  ]);
  await edit(file, 'openapi: [', 'openapi: 3.1.0');
  await printed(/openapi\.yaml was reloaded\n {9}nothing served has changed\n/);
  await edit(file, 'maximum: 7', 'maximum: 9');
  await expect.poll(() => status(9)).toBe(200);
});

test('a file that it refers to is watched too', async () => {
  await cp(packageFile('fixtures/documents/folder'), folder, { recursive: true });
  await start(join(folder, 'openapi.yaml'), '--log', 'json');
  await addNib(join(folder, 'schemas/pen.json'));
  const [, line = ''] = await printed(/(\{"kind":"reload".*\})\n/);
  expect(JSON.parse(line)).toMatchObject({
    kind: 'reload',
    changes: expect.arrayContaining([expect.stringMatching(/^changed schemas\/pen\.json$/)]),
    setAside: [],
  });
});

const addNib = (path: string): Promise<void> =>
  edit(path, '"properties": {', '"properties": { "nib": { "type": "string" },');

test('an overlay is watched too', async () => {
  const file = join(folder, 'openapi.yaml');
  await cp(packageFile('openapi.yaml'), file);
  const overlay = join(folder, 'overlay.yaml');
  await writeFile(
    overlay,
    'overlay: 1.0.0\nactions: [{ target: $.info, update: { title: Ours } }]\n',
  );
  await start(file, '--overlay', overlay);
  await edit(overlay, '$.info, update: { title: Ours }', '$.paths..example, remove: 1');
  await printed(
    /previous version of the document: overlay\.yaml#.*: line 2, .*has to be true or false/,
  );
  await edit(
    overlay,
    '$.paths..example, remove: 1',
    '$.paths, update: { /dogs: { get: { responses: { "200": { description: D } } } } }',
  );
  expect(await printed(/was reloaded\n {9}added operation GET \/dogs\n/)).toBeDefined();
});

test('a referenced file and its folder are awaited if they do not exist yet', async () => {
  await cp(packageFile('fixtures/documents/folder'), folder, { recursive: true });
  await start(join(folder, 'openapi.yaml'));
  await edit(join(folder, 'paths/pens.yaml'), '../schemas/pen.json', '../new/pen.json');
  await printed(
    /previous version of the document: paths\/pens\.yaml#.*: there is no file \.\.\/new\/pen\.json.*\n/,
  );
  await mkdir(join(folder, 'new'));
  await cp(join(folder, 'schemas/pen.json'), join(folder, 'new/pen.json'));
  await printed(/was reloaded\n/);
  await addNib(join(folder, 'new/pen.json'));
  expect(await printed(/changed new\/pen\.json\n/)).toBeDefined();
});

test('a replaced folder is still watched', async () => {
  await cp(packageFile('fixtures/documents/folder'), folder, { recursive: true });
  await start(join(folder, 'openapi.yaml'));
  const schemas = join(folder, 'schemas');
  await cp(schemas, `${schemas}.new`, { recursive: true });
  await rename(schemas, `${schemas}.old`);
  await printed(/still serving the previous version/);
  await rename(`${schemas}.new`, schemas);
  await printed(/was reloaded\n {9}nothing served has changed\n/);
  await addNib(join(schemas, 'pen.json'));
  expect(await printed(/changed schemas\/pen\.json\n/)).toBeDefined();
});

test('a link that leads to another document is followed', async () => {
  const text = await readFile(packageFile('openapi.yaml'), 'utf8');
  await Promise.all(['one', 'other'].map((name) => mkdir(join(folder, name))));
  await writeFile(join(folder, 'one/openapi.yaml'), text);
  await writeFile(
    join(folder, 'other/openapi.yaml'),
    text.replace('maximum: 100, default: 20', 'maximum: 7, default: 5'),
  );
  const link = join(folder, 'openapi.yaml');
  await symlink('one/openapi.yaml', link);
  await start(link);
  await symlink('other/openapi.yaml', `${link}.new`);
  await rename(`${link}.new`, link);
  await printed(/was reloaded\n {9}changed operation listPets\n/);
  await edit(join(folder, 'other/openapi.yaml'), 'maximum: 7', 'maximum: 8');
  expect(await printed(/(?:was reloaded\n {9}changed operation listPets\n[^]*){2}/)).toBeDefined();
});

test('a change during the start is read once the watcher is ready', async () => {
  const file = join(folder, 'openapi.yaml');
  await cp(packageFile('openapi.yaml'), file);
  const stop = new AbortController();
  const output = Promise.withResolvers<string>();
  const sink = { write: output.resolve };
  const io = { stdout: sink, stderr: sink, env: {}, signal: stop.signal };
  const follow = await watchDocument({ contract: file }, createEventPrinter('text', io), io);
  const mock = createMock(await loadContract({ file }));
  await edit(file, 'maximum: 100, default: 20', 'maximum: 7, default: 5');
  void follow(mock);
  expect(await output.promise).toBe(
    'openapi.yaml was reloaded\n         changed operation listPets\n',
  );
  stop.abort();
});

describe('the process', () => {
  let child: ChildProcess;
  afterEach(() => {
    child.kill();
  });

  test('sees changes once it reports that it is ready, keeps added items, and exits', async () => {
    const file = join(folder, 'openapi.yaml');
    await cp(packageFile('openapi.yaml'), file);
    child = spawn(
      process.execPath,
      [packageFile('cli/petstore.ts'), 'mock', '--port', '0', '--contract', file, '--seed', 'none'],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    let text = '';
    child.stdout?.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
    await expect.poll(() => text, { timeout: 20_000 }).toMatch(/is mocked at (\S+)/);
    await edit(file, 'maximum: 100, default: 20', 'maximum: 7, default: 5');
    const url = /is mocked at (\S+)/.exec(text)?.[1] ?? '';
    const headers = { authorization: 'Bearer free_a', 'content-type': 'application/json' };
    await fetch(`${url}/pets`, { method: 'POST', headers, body: '{"name":"Rex","categoryId":1}' });
    await expect
      .poll(() => text, { timeout: 20_000 })
      .toMatch(/was reloaded\n {9}changed operation listPets\n/);
    expect(await (await fetch(`${url}/pets?limit=7`, { headers })).json()).toMatchObject([
      { id: 1, name: 'Rex' },
    ]);
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
  });
});
