import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { StoredCopy } from '../../test/mock/state/stored-copy.ts';
import { openFileEngine } from './file-engine.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'petstore-state-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const writer = fileURLToPath(new URL('../../test/mock/state/writer.ts', import.meta.url));

/** A writer, what it has acknowledged, and a promise of having acknowledged as many. */
function startWriter(...limit: readonly string[]) {
  const [program, ...words] = [...limit, process.execPath, writer, folder];
  const child: ChildProcess = spawn(program, words, { stdio: ['ignore', 'pipe', 'inherit'] });
  if (child.stdout === null) throw new Error('no output');
  const acknowledged = new Map<string, number>();
  const errors: string[] = [];
  let [count, wanted] = [0, Infinity];
  const lines = createInterface({ input: child.stdout });
  let reached = (): void => undefined;
  lines.on('line', (line) => {
    const [, name, number] = /^(s\d+) (\d+)$/.exec(line) ?? [];
    if (name === undefined) errors.push(line);
    else acknowledged.set(name, Number(number));
    count += 1;
    if (count === wanted) reached();
  });
  const read = once(lines, 'close');
  return {
    acknowledged,
    errors,
    ended: read,
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

/** All that was acknowledged is there, and at most one write more of each sandbox, as a whole. */
async function expectStored(acknowledged: ReadonlyMap<string, number>): Promise<void> {
  const engine = await openFileEngine(folder);
  for (const [name, number] of acknowledged) {
    const copy = new StoredCopy(engine, name);
    await copy.catchUp();
    const { last, ...others } = copy.texts;
    expect(Number(last) - number).toBeOneOf([0, 1]);
    const numbers = Object.values(others).map((text) => Number.parseInt(text, 10));
    const latest = Array.from({ length: Math.min(10, Number(last)) }, (_, at) => Number(last) - at);
    expect(numbers.toSorted((a, b) => b - a)).toEqual(latest);
  }
  await engine.close();
}

const kills = Number(process.env['STATE_KILLS'] ?? 12);

describe('a writer that is killed under load', () => {
  test(
    'has never lost an acknowledged change, in repeated kills',
    { timeout: 240_000 },
    async () => {
      const acknowledged = new Map<string, number>();
      for (let kill = 0; kill < kills; kill += 1) {
        const writing = startWriter();
        await writing.until(50 + ((kill * 337) % 1500));
        await writing.kill();
        for (const [name, number] of writing.acknowledged) acknowledged.set(name, number);
        await expectStored(acknowledged);
      }
      expect(acknowledged.size).toBe(20);
    },
  );
});

test.skipIf(process.platform === 'win32')(
  'a full disk rejects new changes, and loses nothing stored',
  { timeout: 60_000 },
  async () => {
    const writing = startWriter('sh', '-c', 'ulimit -f 400; trap "" XFSZ; exec "$@"', 'sh');
    await writing.ended;
    expect(writing.errors).toEqual([expect.stringContaining('The state cannot be stored in')]);
    expect(writing.acknowledged.size).toBeGreaterThan(0);
    await expectStored(writing.acknowledged);
  },
);

test('a folder is used by one process at a time', { timeout: 60_000 }, async () => {
  const writing = startWriter();
  await writing.until(1);
  await expect(openFileEngine(folder)).rejects.toMatchObject({
    code: 'state',
    message: `Another process stores its state in ${folder}. Stop it, or use another folder.`,
  });
  await writing.kill();
  await (await openFileEngine(folder)).close();
});
