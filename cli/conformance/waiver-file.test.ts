import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PetstoreError } from '../../contract/error/petstore-error.ts';
import { petstore } from '../../test/contract/petstore.ts';
import { readWaiverFile } from './waiver-file.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'petstore-waivers-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});

const day = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
const waiver = { requirement: 'createPet/status.201', reason: 'b', owner: 'c', expires: day };

async function read(text: string | Uint8Array): Promise<unknown> {
  const file = join(folder, 'waivers.json');
  await writeFile(file, text);
  return await readWaiverFile(petstore, file);
}

const valid = JSON.stringify([waiver], undefined, 2);

test.each([
  ['as editors of Windows write it', `\uFEFF${valid.replaceAll('\n', '\r\n')}\r\n`],
  ['on one line', JSON.stringify([waiver])],
])('a file is read %s', async (_name, text) => {
  expect(await read(text)).toEqual([waiver]);
});

test.each<[string, string | Uint8Array, RegExp]>([
  [
    'a member twice',
    valid.replace('"owner"', '"expires": "2026-12-01",\n"owner"'),
    /has the member/,
  ],
  ['a member twice, escaped', valid.replace('"owner"', '"expire\\u0073": "", "owner"'), /twice/],
  ['two marks before it', `\uFEFF\uFEFF${valid}`, /byte order mark/],
  ['UTF-16', Buffer.from(valid, 'utf16le'), /JSON/],
  ['YAML', '- requirement: createPet/status.201\n', /JSON/],
  ['comments', `// these\n${valid}`, /JSON/],
  [
    '10,000 rows of one',
    JSON.stringify(Array.from({ length: 10_000 }, () => waiver)),
    /waived twice/,
  ],
  [
    '10,000 rows of nothing',
    JSON.stringify(Array.from({ length: 10_000 }, () => ({ ...waiver, requirement: 'a' }))),
    /not a requirement/,
  ],
  ['a wildcard', JSON.stringify([{ ...waiver, requirement: 'createPet/*' }]), /not a requirement/],
  ['a prototype', '[{"__proto__":{"requirement":"a"}}]', /__proto__/],
])('a file with %s is rejected with a short message', async (_name, text, reason) => {
  const error: unknown = await read(text).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(PetstoreError);
  expect(String(error)).toMatch(reason);
  expect(String(error).length).toBeLessThan(500);
});
