import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readResult, runDocument } from './run-document.ts';

const inFolder = async (use: (folder: string) => Promise<void>): Promise<void> => {
  const folder = await mkdtemp(join(tmpdir(), 'corpus-'));
  try {
    await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

const settings = {
  id: 'x',
  openapi: '',
  conform: false,
} as const;

test('what is no document at all is a row with its refusal', async () => {
  await inFolder(async (folder) => {
    const file = join(folder, 'no-document.yaml');
    await writeFile(file, 'just a text');
    const result = await runDocument({ ...settings, file }, join(folder, 'x.json'), 60);
    expect(result).toMatchObject({ state: 'measured', load: { listens: false } });
  });
});

test('a measure that takes too long is ended and is a row, too', async () => {
  await inFolder(async (folder) => {
    const kept = join(folder, 'results', 'x.json');
    const result = await runDocument({ ...settings, file: join(folder, 'a.yaml') }, kept, 0);
    expect(result.state).toBe('timed-out');
    expect(await readResult(kept)).toEqual(result);
  });
});
