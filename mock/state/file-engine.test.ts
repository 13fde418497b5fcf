import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { text as readText } from 'node:stream/consumers';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { StoredCopy } from '../../test/mock/state/stored-copy.ts';
import { explainError, openFileEngine, readFolder } from './file-engine.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'petstore-state-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const refusal = (message: string | RegExp) => ({
  code: 'state',
  message: typeof message === 'string' ? message : expect.stringMatching(message),
});

/** A script that opens a folder, and prints why it cannot. */
const openScript = (path: string): string =>
  `import(${JSON.stringify(new URL('file-engine.ts', import.meta.url).href)})
    .then(({ openFileEngine }) => openFileEngine(${JSON.stringify(path)}))
    .then((engine) => engine.close(), (error) => console.log(error.message))`;

describe('a folder', () => {
  test('and its files are readable only by their owner: they contain keys', async () => {
    const inner = join(folder, 'made', 'inner');
    const engine = await openFileEngine(inner);
    await new StoredCopy(engine, 'main').write({ a: '"free_main"' });
    const modeOf = async (path: string): Promise<number> => (await stat(path)).mode & 0o777;
    expect([await modeOf(join(folder, 'made')), await modeOf(inner)]).toEqual([0o700, 0o700]);
    for (const name of ['state.sqlite', 'state.sqlite-wal'])
      expect(await modeOf(join(inner, name))).toBe(0o600);
    await engine.close();
  });

  test('that is in use is rejected', async () => {
    const engine = await openFileEngine(folder);
    const message = `Another process stores its state in ${folder}. Stop it, or use another folder.`;
    await expect(openFileEngine(folder)).rejects.toMatchObject(refusal(message));
    // The attempts of this process, and of its threads, do not unlock it.
    const thread = new Worker(openScript(folder), { eval: true, stdout: true });
    expect(await readText(thread.stdout)).toBe(`${message}\n`);
    const flags = ['-e', openScript(folder)];
    expect(spawnSync(process.execPath, flags, { encoding: 'utf8' }).stdout).toBe(`${message}\n`);
    await engine.close();
    await (await openFileEngine(folder)).close();
  });

  test('that is a file, or below one, is an error', async () => {
    const file = join(folder, 'file');
    await writeFile(file, '');
    for (const path of [file, join(file, 'below')])
      await expect(openFileEngine(path)).rejects.toMatchObject(
        refusal(
          /: (?:EEXIST|ENOTDIR): .+ Make it a folder that this user may write to, or use another one\.$/,
        ),
      );
  });

  test.each(['EROFS', 'EACCES'])('that may not be written to is an error (%s)', (code) => {
    const cause = Object.assign(new Error(code), { code });
    expect(explainError('state', cause).message).toBe(
      `The state cannot be stored in state: ${code}. Make it a folder that this user may write to, or use another one.`,
    );
  });

  test('of an earlier version is rejected and left unchanged', async () => {
    await writeFile(join(folder, 'state.jsonl'), '{"petstore":1}\n');
    await expect(openFileEngine(folder)).rejects.toMatchObject(
      refusal(/has state of an earlier version \(state\.jsonl\).+ Use another folder, or delete/),
    );
    expect(await readFile(join(folder, 'state.jsonl'), 'utf8')).toBe('{"petstore":1}\n');
  });

  test('of a later version is rejected', async () => {
    await (await openFileEngine(folder)).close();
    const database = new DatabaseSync(join(folder, 'state.sqlite'));
    database.exec('PRAGMA user_version = 7');
    database.close();
    await expect(openFileEngine(folder)).rejects.toMatchObject(
      refusal(/was written by a later version, in format 7; .+ Use that version, or another/),
    );
  });

  test('with a damaged file is rejected and left unchanged', async () => {
    const file = join(folder, 'state.sqlite');
    await writeFile(file, 'no database '.repeat(1000));
    await expect(openFileEngine(folder)).rejects.toMatchObject(
      refusal(/: file is not a database\. Restore a copy, or move the file state\.sqlite away\.$/),
    );
    expect(await readFile(file, 'utf8')).toMatch(/^no database /);
  });

  test('with a file that is damaged in the middle is rejected', async () => {
    const engine = await openFileEngine(folder);
    const texts = Array.from({ length: 500 }, (_, index) => [`part ${index}`, 'x'.repeat(100)]);
    await new StoredCopy(engine, 'a').write(Object.fromEntries(texts));
    await engine.close();
    const file = join(folder, 'state.sqlite');
    const content = await readFile(file);
    await writeFile(file, content.fill(0xff, 4096 * 5, 4096 * 8));
    await expect(openFileEngine(folder)).rejects.toMatchObject(
      refusal(/ Restore a copy, or move the file state\.sqlite away\.$/),
    );
    expect((await readFile(file)).equals(content)).toBe(true);
  });

  test.each([
    'CREATE TABLE mine (name TEXT)',
    'CREATE TABLE mine (name TEXT); PRAGMA user_version = 1',
    'CREATE TABLE mine (name TEXT); PRAGMA user_version = 7',
    'PRAGMA application_id = 7',
  ])('with a database of another program is rejected and left unchanged: %s', async (sql) => {
    const file = join(folder, 'state.sqlite');
    const database = new DatabaseSync(file);
    database.exec(sql);
    database.close();
    const content = await readFile(file);
    await expect(openFileEngine(folder)).rejects.toMatchObject(
      refusal(`state.sqlite in ${folder} is not the state of a mock. Use another folder.`),
    );
    expect((await readFile(file)).equals(content)).toBe(true);
  });

  test('whose state.sqlite is a folder is an error', async () => {
    await mkdir(join(folder, 'state.sqlite'));
    await expect(openFileEngine(folder)).rejects.toMatchObject(
      refusal(/: unable to open database file\. .+, or use another one\.$/),
    );
  });

  test.skipIf(process.platform === 'win32').each(['removed', 'renamed', 'replaced'])(
    'that is %s while open stores nothing more, and reports that',
    async (how) => {
      const inner = join(folder, 'inner');
      const engine = await openFileEngine(inner);
      const copy = new StoredCopy(engine, 'a');
      await copy.write({ a: '1' });
      if (how === 'removed') await rm(inner, { recursive: true });
      else await rename(inner, join(folder, 'other'));
      if (how === 'replaced') await (await openFileEngine(inner)).close();
      const gone = refusal(
        /inner was removed or replaced\. Put it back, or start the mock again\.$/,
      );
      await expect(copy.write({ a: '2' })).rejects.toMatchObject(gone);
      await expect(engine.forget('a')).rejects.toMatchObject(gone);
      await engine.close();
    },
  );

  test('is given as a path or a URL', () => {
    expect(readFolder('file:///var/lib/state%201')).toBe('/var/lib/state 1');
    expect(readFolder('file:/var/lib/state')).toBe('/var/lib/state');
    expect(readFolder('file:./state')).toBe(join(process.cwd(), 'state'));
    expect(() => readFolder('file:')).toThrow('does not name a folder');
    expect(() => readFolder('file://server/state')).toThrow('is not a folder on this machine');
  });
});

test('writes that come together share a transaction', async () => {
  const engine = await openFileEngine(folder);
  const exec = vi.spyOn(DatabaseSync.prototype, 'exec');
  const writes = Array.from({ length: 50 }, (_, index) =>
    new StoredCopy(engine, `s${index}`).write({ a: '1' }),
  );
  expect((await Promise.all(writes)).every(Boolean)).toBe(true);
  expect(exec.mock.calls.map(([sql]) => sql)).toEqual(['BEGIN IMMEDIATE', 'COMMIT']);
  exec.mockRestore();
  await engine.close();
});

test('a write that fails stores nothing of those that came with it', async () => {
  const engine = await openFileEngine(folder);
  const [one, two] = [new StoredCopy(engine, 'a'), new StoredCopy(engine, 'b')];
  const exec = vi.spyOn(DatabaseSync.prototype, 'exec').mockImplementation(function (
    this: DatabaseSync,
    sql: string,
  ) {
    if (sql === 'COMMIT') throw Object.assign(new Error('full'), { errcode: 13 });
    this.prepare(sql).run();
  });
  const writes = [one.write({ a: '1' }), two.write({ a: '1' })];
  for (const settled of await Promise.allSettled(writes))
    expect(settled).toMatchObject({
      status: 'rejected',
      reason: refusal(/: full\. /),
    });
  exec.mockRestore();
  expect(await engine.list()).toEqual([]);
  expect(await one.write({ a: '2' })).toBe(true);
  await engine.close();
});

test('loading SQLite prints no warning, and other warnings are printed', async () => {
  const script = `${openScript(folder)}.then(() => process.emitWarning('another'));`;
  const { stderr } = spawnSync(process.execPath, ['-e', script], { encoding: 'utf8' });
  expect(stderr).not.toContain('SQLite');
  expect(stderr).toContain('another');
});
