import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PetstoreError } from '../../../contract/index.ts';
import type { StateEngine } from '../engine.ts';
import { type MemoryDisk, createMemoryDisk } from '../../../test/mock/state/memory-disk.ts';
import { type FileEngineOptions, createFileEngine } from './engine.ts';
import { renderBlock } from './block.ts';
import { logName } from './log.ts';

const open = (disk: MemoryDisk, options: FileEngineOptions = {}): Promise<StateEngine> =>
  createFileEngine(disk, 'folder', options);

const contentOf = (disk: MemoryDisk): Buffer => disk.contents.get(logName) ?? Buffer.alloc(0);

const diskOf = (bytes: Buffer): MemoryDisk => createMemoryDisk(new Map([[logName, bytes]]));

/** All that an engine keeps, by sandbox. */
async function readAll(engine: StateEngine): Promise<Readonly<Record<string, unknown>>> {
  const all: [string, unknown][] = [];
  for (const name of (await engine.list()).toSorted()) all.push([name, await engine.load(name)]);
  return Object.fromEntries(all);
}

const failureOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

/** A log of some records, with the bytes and what is kept after each of them. */
async function writeSome() {
  const disk = createMemoryDisk();
  const engine = await open(disk);
  const steps = [{ bytes: contentOf(disk).length, kept: await readAll(engine) }];
  const note = async (): Promise<void> => {
    steps.push({ bytes: contentOf(disk).length, kept: await readAll(engine) });
  };
  for (let index = 0; index < 4; index += 1) {
    await engine.append('a', index, [`{"n":${index},"text":"ü\\n"}`]);
    await note();
  }
  await engine.append('b', 0, ['1', '2']);
  await note();
  await engine.compact('a', 3, '{"snapshot":[9007199254740993]}');
  await note();
  await engine.forget('b');
  await note();
  await engine.append('b', 3, ['"again"']);
  await note();
  return { bytes: contentOf(disk), steps };
}

describe('a log that is cut', () => {
  test('at any byte keeps all that was whole, tells what is gone, and goes on', async () => {
    const { bytes, steps } = await writeSome();
    const first = steps[0]?.bytes ?? 0;
    for (let size = first; size <= bytes.length; size += 1) {
      const notices: string[] = [];
      const disk = diskOf(bytes.subarray(0, size));
      const engine = await open(disk, { notify: (notice) => notices.push(notice) });
      const last = steps.findLast((step) => step.bytes <= size);
      expect(await readAll(engine)).toEqual(last?.kept);
      const lost = size - (last?.bytes ?? 0);
      expect(notices).toEqual(
        lost === 0
          ? []
          : [
              `folder/state.jsonl ends with an incomplete record: the last ${lost} bytes, from byte ${last?.bytes}, were removed.`,
            ],
      );
      const { version } = await engine.load('a');
      expect(await engine.append('a', version, ['"more"'])).toMatchObject({ kind: 'appended' });
      const again = await open(disk.afterKill());
      expect((await again.load('a')).changes.at(-1)).toBe('"more"');
    }
  });

  test('before its first record is an error, and left as it is', async () => {
    const { bytes, steps } = await writeSome();
    for (let size = 0; size < (steps[0]?.bytes ?? 0); size += 1) {
      const disk = diskOf(bytes.subarray(0, size));
      expect(await failureOf(open(disk))).toMatchObject({
        code: 'state',
        message: expect.stringContaining('folder/state.jsonl is not a log'),
      });
      expect(contentOf(disk)).toEqual(bytes.subarray(0, size));
    }
  });

  test.each([
    ['zeros', Buffer.alloc(300)],
    ['garbage', Buffer.from('\n{"bytes":12,"crc":"00000000"}\nxxxxxxxxxxxx\n\u{fffd}')],
    ['a length beyond the file', Buffer.from('{"bytes":999999999999999,"crc":"00000000"}\n')],
  ])('and ends in %s is cut there', async (_name, tail) => {
    const { bytes, steps } = await writeSome();
    const notices: string[] = [];
    const disk = diskOf(Buffer.concat([bytes, tail]));
    const engine = await open(disk, { notify: (notice) => notices.push(notice) });
    expect(await readAll(engine)).toEqual(steps.at(-1)?.kept);
    expect(notices.join('')).toContain(
      `the last ${tail.length} bytes, from byte ${bytes.length}, were removed.`,
    );
    expect(contentOf(disk)).toEqual(bytes);
  });
});

test('a log with any byte changed is an error, or loses only its last record', async () => {
  const { bytes, steps } = await writeSome();
  const lastStart = steps.at(-2)?.bytes ?? 0;
  for (let position = 0; position < bytes.length; position += 1) {
    for (const flip of [1, 0x20, 0xff]) {
      const changed = Buffer.from(bytes);
      changed[position] = (bytes[position] ?? 0) ^ flip;
      const disk = diskOf(changed);
      const outcome = await open(disk).then(
        () => 'opened',
        (error: unknown) => (error instanceof PetstoreError ? error.message : 'no PetstoreError'),
      );
      expect(outcome).toMatch(
        position < lastStart
          ? /^folder\/state\.jsonl (is damaged at|is not a log).*Replace it with a backup, or move it/
          : /^opened$/,
      );
      expect(contentOf(disk).length).toBe(position < lastStart ? bytes.length : lastStart);
    }
  }
});

test('a log of a newer format is an error', async () => {
  const body = Buffer.from('{"petstore-contract state":2}\n');
  const { crc32 } = await import('node:zlib');
  const head = `{"bytes":${body.length},"crc":"${crc32(body).toString(16).padStart(8, '0')}"}\n`;
  const error = await failureOf(open(diskOf(Buffer.concat([Buffer.from(head), body]))));
  expect(error).toMatchObject({
    message:
      'folder/state.jsonl has format 2; this version of petstore-contract reads up to 1. Use the version that wrote it, or another folder.',
  });
});

test('a log that lacks a whole record in its middle is an error', async () => {
  const { bytes, steps } = await writeSome();
  const [, one, two] = steps;
  const without = Buffer.concat([bytes.subarray(0, one?.bytes), bytes.subarray(two?.bytes)]);
  const error = await failureOf(open(diskOf(without)));
  expect(error).toMatchObject({
    message: expect.stringContaining('lacks changes of the sandbox "a" after version 1'),
  });
});

test('what comes while the disk is busy is written and synced together', async () => {
  const disk = createMemoryDisk();
  const engine = await open(disk);
  let syncs = 0;
  disk.before = (call) => {
    if (call === 'sync') syncs += 1;
  };
  const names = Array.from({ length: 100 }, (_, index) => `s${index}`);
  await Promise.all(names.map((name) => engine.append(name, 0, ['1'])));
  expect(syncs).toBeLessThanOrEqual(2);
  expect(await engine.list()).toHaveLength(100);
});

describe('a disk that fails', () => {
  const full = Object.assign(new Error('no space left on device, write'), { code: 'ENOSPC' });

  test('while it is full refuses what cannot be kept, and goes on after it', async () => {
    const disk = createMemoryDisk();
    const engine = await open(disk);
    await engine.append('a', 0, ['1']);
    disk.tornShare = 0.5;
    disk.before = (call) => {
      if (call === 'write') throw full;
    };
    const appends = [engine.append('a', 1, ['2']), engine.append('b', 0, ['1'])];
    for (const failure of await Promise.all(appends.map(failureOf)))
      expect(failure).toMatchObject({
        code: 'state',
        message:
          'The state cannot be stored in folder: the disk is full. Free disk space. Acknowledged changes are stored.',
      });
    disk.before = () => undefined;
    expect(await engine.append('a', 1, ['3'])).toEqual({ kind: 'appended', version: 2 });
    const again = await open(disk.afterKill());
    expect(await readAll(again)).toEqual({
      a: { kind: 'whole', version: 2, snapshot: undefined, changes: ['1', '3'] },
    });
  });

  test('and cannot be mended is not written to again', async () => {
    const disk = createMemoryDisk();
    const engine = await open(disk);
    await engine.append('a', 0, ['1']);
    disk.before = (call) => {
      if (call === 'sync' || call === 'truncate') throw new Error('input/output error');
    };
    expect(await failureOf(engine.append('a', 1, ['2']))).toMatchObject({ code: 'state' });
    disk.before = () => undefined;
    expect(await failureOf(engine.append('a', 1, ['2']))).toMatchObject({
      message: 'The state log cannot be written. Check the disk, then start again.',
    });
    expect((await engine.load('a')).changes).toEqual(['1']);
  });

  test('during a compaction is told, and nothing is lost', async () => {
    const disk = createMemoryDisk();
    const notices: string[] = [];
    const notify = (notice: string): void => void notices.push(notice);
    const engine = await open(disk, { slackBytes: 200, notify });
    disk.before = (call) => {
      if (call === 'create') throw full;
    };
    for (let version = 0; version < 20; version += 1) {
      await engine.append('a', version, ['"a change that takes some room"']);
      await engine.compact('a', version + 1, `${version}`);
    }
    expect(notices[0]).toContain('The log is not compacted: The state cannot be stored in folder');
    disk.before = () => undefined;
    const again = await open(disk.afterKill());
    expect(await again.load('a')).toMatchObject({ version: 20, snapshot: '19' });
  });
});

/** One thing that a client asks for. */
type Step =
  | { readonly kind: 'append'; readonly sandbox: string; readonly count: number }
  | { readonly kind: 'compact' | 'forget'; readonly sandbox: string };

const sandbox = fc.constantFrom('a', 'b', 'c');
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('append'),
      sandbox,
      count: fc.integer({ min: 1, max: 3 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('compact'), sandbox }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('forget'), sandbox }) },
);

/** What the engine has acknowledged, and what it may have kept besides. */
class Model {
  readonly texts = new Map<string, readonly string[]>();
  /** One thing at most is under way when the power goes. */
  pending: Step | undefined;
  count = 0;

  allowed(): readonly Readonly<Record<string, readonly string[]>>[] {
    const now = this.#kept();
    if (this.pending === undefined) return [now];
    this.acknowledge(this.pending);
    return [now, this.#kept()];
  }

  changesOf({ count }: { readonly count: number }): readonly string[] {
    return Array.from({ length: count }, (_, index) => `"${this.count}.${index}"`);
  }

  acknowledge(done: Step): void {
    const former = this.texts.get(done.sandbox) ?? [];
    if (done.kind === 'append') this.texts.set(done.sandbox, [...former, ...this.changesOf(done)]);
    if (done.kind === 'forget') this.texts.delete(done.sandbox);
    this.count += 1;
  }

  #kept(): Readonly<Record<string, readonly string[]>> {
    return Object.fromEntries(this.texts);
  }
}

/** All changes of all sandboxes; a snapshot is the JSON of those that it stands for. */
async function readTexts(engine: StateEngine): Promise<Readonly<Record<string, unknown>>> {
  const all: [string, readonly string[]][] = [];
  for (const name of (await engine.list()).toSorted()) {
    const { snapshot = '[]', changes } = await engine.load(name);
    const former: readonly string[] = JSON.parse(snapshot);
    all.push([name, [...former, ...changes]]);
  }
  return Object.fromEntries(all);
}

async function take(engine: StateEngine, model: Model, taken: Step): Promise<void> {
  const { version, snapshot = '[]', changes } = await engine.load(taken.sandbox);
  const former: readonly string[] = JSON.parse(snapshot);
  model.pending = taken;
  if (taken.kind === 'append') await engine.append(taken.sandbox, version, model.changesOf(taken));
  if (taken.kind === 'forget') await engine.forget(taken.sandbox);
  if (taken.kind === 'compact')
    await engine.compact(taken.sandbox, version, JSON.stringify([...former, ...changes]));
  model.acknowledge(taken);
  model.pending = undefined;
}

describe.each(['kill', 'loss of power'] as const)('after a %s at any call of the disk', (how) => {
  test('all that was acknowledged is there, also in the midst of compactions', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 5, maxLength: 25 }),
        fc.nat(80),
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 4, maxLength: 4 }),
        async (steps, stopAt, chances) => {
          const disk = createMemoryDisk();
          const model = new Model();
          disk.tornShare = chances[0] ?? 0;
          disk.before = (_call, count) => {
            if (count >= stopAt) throw new Error('gone');
          };
          try {
            const engine = await open(disk, { slackBytes: 100 });
            for (const one of steps) await take(engine, model, one);
          } catch {
            // The process has ended here.
          }
          let chance = 0;
          const next = (): number => chances[(chance += 1) % chances.length] ?? 0;
          const left =
            how === 'kill' ? disk.afterKill() : disk.afterPowerLoss(() => next() < 0.5, next);
          const found = await readTexts(await open(left));
          expect(model.allowed()).toContainEqual(found);
        },
      ),
      { numRuns: 1500, seed: 13 },
    );
  });
});

test('a log is rewritten where most of it is waste, and reads the same', async () => {
  const disk = createMemoryDisk();
  const engine = await open(disk, { slackBytes: 1000 });
  for (let version = 0; version < 500; version += 1) {
    await engine.append('a', version, [`{"n":${version}}`]);
    if (version % 10 === 9) await engine.compact('a', version + 1, `{"all":${version}}`);
  }
  await engine.append('b', 0, ['1']);
  expect(contentOf(disk).length).toBeLessThan(3000);
  expect([...disk.contents.keys()]).toEqual([logName]);
  const kept = await readAll(engine);
  expect(kept).toMatchObject({ a: { version: 500, snapshot: '{"all":499}', changes: [] } });
  expect(await readAll(await open(disk.afterKill()))).toEqual(kept);
});

test('a text with a line break is a mistake of the caller', () => {
  const entry = { kind: 'append', sandbox: 'a', version: 1, texts: ['1\n2'] } as const;
  expect(() => renderBlock([entry])).toThrow(TypeError);
});
