import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { explainDiskError } from './disk-error.ts';
import { openFileEngine, readFolder } from './open.ts';
import { takeLock } from './lock.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'petstore-state-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const writer = fileURLToPath(new URL('../../../test/mock/state/writer.ts', import.meta.url));

/** A writer, what it has acknowledged, and a promise of having acknowledged as many. */
function startWriter() {
  const child: ChildProcess = spawn(process.execPath, [writer, folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (child.stdout === null) throw new Error('no output');
  const acknowledged = new Map<string, number>();
  let [count, wanted] = [0, Infinity];
  const lines = createInterface({ input: child.stdout });
  let reached = (): void => undefined;
  lines.on('line', (line) => {
    const [name = '', version] = line.split(' ');
    acknowledged.set(name, Number(version));
    count += 1;
    if (count === wanted) reached();
  });
  const read = once(lines, 'close');
  return {
    acknowledged,
    until: (many: number) =>
      new Promise<void>((resolve) => {
        [wanted, reached] = [many, resolve];
      }),
    async kill() {
      child.kill('SIGKILL');
      await read;
    },
  };
}

describe('a writer that is killed under load', () => {
  test('has lost nothing that it acknowledged, time after time', { timeout: 120_000 }, async () => {
    const acknowledged = new Map<string, number>();
    for (const many of [50, 777, 1200, 1313, 2024, 3000]) {
      const process = startWriter();
      await process.until(many);
      await process.kill();
      for (const [name, version] of process.acknowledged) acknowledged.set(name, version);
      const engine = await openFileEngine(folder);
      for (const [name, version] of acknowledged) {
        const kept = await engine.load(name);
        // What was under way when it was killed may be there too.
        expect(kept.version - version).toBeOneOf([0, 1, 2, 3]);
        const base = kept.version - kept.changes.length;
        expect(kept.changes).toEqual(
          kept.changes.map((_, index) => `"${name} ${base + index + 1}"`),
        );
        expect(kept.snapshot).toBe(base === 0 ? undefined : `"up to ${base}"`);
      }
      await engine.close();
    }
  });
});

describe('a folder', () => {
  const lock = { beatMilliseconds: 40 };

  test('and its files are for their user alone: they hold keys', async () => {
    const inner = join(folder, 'made', 'inner');
    const engine = await openFileEngine(inner);
    await engine.append('main', 0, ['"free_main"']);
    await engine.close();
    const modeOf = async (path: string): Promise<number> => (await stat(path)).mode & 0o777;
    expect([await modeOf(join(folder, 'made')), await modeOf(inner)]).toEqual([0o700, 0o700]);
    expect(await modeOf(join(inner, 'state.jsonl'))).toBe(0o600);
  });

  test('is of one process at a time, and says of which', async () => {
    const engine = await openFileEngine(folder, { lock });
    await expect(openFileEngine(folder, { lock })).rejects.toMatchObject({
      code: 'state',
      message: expect.stringMatching(
        `^Another process stores its state in ${folder} \\(process ${process.pid} of .+\\)\\. Stop it, or use another folder`,
      ),
    });
    await engine.close();
    const other = await openFileEngine(folder, { lock });
    await other.close();
    expect((await readdir(folder)).toSorted()).toEqual(['lock-2', 'state.jsonl']);
  });

  test.each([
    ['a process that is gone', '{"pid":4194304999,"machine":"MACHINE","id":"x"}\n'],
    ['another machine that shows no sign of life', '{"pid":1,"machine":"elsewhere","id":"x"}\n'],
    ['a process that was killed as it took it', ''],
  ])('of %s is taken over', async (_name, text) => {
    const first = await takeLock(folder, lock);
    const { machine } = JSON.parse(await readFile(join(folder, 'lock-1'), 'utf8'));
    await first.release();
    await writeFile(join(folder, 'lock-7'), text.replace('MACHINE', machine));
    const taken = await takeLock(folder, lock);
    expect(await readdir(folder)).toEqual(['lock-8']);
    await taken.release();
  });

  test("that ten want at once is one's alone", async () => {
    const wants = Array.from({ length: 10 }, () => takeLock(folder, lock));
    const settled = await Promise.allSettled(wants);
    const taken = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    expect(taken).toHaveLength(1);
    await taken[0]?.release();
  });

  test('that was taken over is not written to by who had it', async () => {
    const engine = await openFileEngine(folder, { lock });
    await engine.append('a', 0, ['1']);
    await writeFile(join(folder, 'lock-2'), '{"pid":1,"machine":"elsewhere","id":"x"}\n');
    const append = async (): Promise<unknown> =>
      engine.append('b', (await engine.load('b')).version, ['1']).then(() => 'done', String);
    await expect
      .poll(append, { interval: 20 })
      .toContain(`Another process now uses the folder ${folder}.`);
    await engine.close();
  });

  test('that is a file, or below one, is an error', async () => {
    const file = join(folder, 'file');
    await writeFile(file, '');
    for (const path of [file, join(file, 'below')])
      await expect(openFileEngine(path)).rejects.toMatchObject({
        code: 'state',
        message: `The state cannot be stored in ${path}: it is a file, not a folder. Name a folder.`,
      });
  });

  test.runIf(process.platform === 'linux')(
    'that the system does not make is an error',
    async () => {
      await expect(openFileEngine('/proc/petstore/state')).rejects.toMatchObject({ code: 'state' });
    },
  );

  test.each(['EROFS', 'EACCES'])('that may not be written to is an error (%s)', (code) => {
    const cause = Object.assign(new Error(code), { code });
    expect(explainDiskError('state', cause).message).toBe(
      'The state cannot be stored in state: this user may not write to it. Allow this user to write to the folder, or use another folder.',
    );
  });
});

test('a folder is named by a path or a URL', () => {
  expect(readFolder('file:///var/lib/state%201')).toBe('/var/lib/state 1');
  expect(readFolder('file:/var/lib/state')).toBe('/var/lib/state');
  expect(readFolder('file:./state')).toBe(join(process.cwd(), 'state'));
  expect(() => readFolder('file:')).toThrow('does not name a folder');
  expect(() => readFolder('file://server/state')).toThrow('is not a folder on this machine');
});
