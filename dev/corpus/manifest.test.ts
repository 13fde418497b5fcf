import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { listDocuments } from './manifest.ts';

test('without a manifest the documents are the files with an OpenAPI version', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'corpus-'));
  try {
    await mkdir(join(folder, 'b'));
    await writeFile(join(folder, 'a.yaml'), 'openapi: 3.1.0\n');
    await writeFile(join(folder, 'b', 'c.json'), '{"swagger":"2.0"}');
    await writeFile(join(folder, 'b', 'part.yaml'), 'Thing: { type: object }\n');
    await writeFile(join(folder, 'readme.md'), 'openapi: 3.0.0\n');
    const found = await listDocuments(folder);
    expect(found.map(({ id }) => id)).toEqual(['a', 'b-c']);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
