import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { listDocuments } from './manifest.ts';
import { type DocumentResult, measureDocument } from './measure.ts';
import { type Floor, listBelowFloor, listProblems, ratesOf } from './report.ts';

const folder = fileURLToPath(new URL('../../fixtures/documents', import.meta.url));
const floor: Floor = JSON.parse(readFileSync(`${folder}/floor.json`, 'utf8'));

test('documents with every problem and shape are loaded, served and stored as well as before or better', async () => {
  const results: DocumentResult[] = [];
  for (const document of await listDocuments(folder))
    results.push(await measureDocument(document, false));
  const fallen = listBelowFloor(floor, ratesOf(results));
  // If a rate fell, the troubles say why.
  expect(fallen.length === 0 ? [] : [...fallen, ...results.flatMap(listProblems)]).toEqual([]);
}, 300_000);
