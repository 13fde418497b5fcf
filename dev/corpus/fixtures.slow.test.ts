import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { startCommand } from '../../test/cli/command.ts';
import { type CorpusDocument, listDocuments } from './manifest.ts';
import { type DocumentResult, askServer } from './measure.ts';
import { type Floor, listFallen, listTroubles, ratesOf } from './report.ts';

const folder = fileURLToPath(new URL('../../fixtures/documents', import.meta.url));
const floor: Floor = JSON.parse(readFileSync(`${folder}/floor.json`, 'utf8'));

/** As the measure does it, with the command in this process. */
async function measure({ id, file, openapi }: CorpusDocument): Promise<DocumentResult> {
  const command = startCommand('mock', '--port', '0', '--no-watch', '--quiet', '--contract', file);
  const line = await Promise.race([command.printed(/mocked at (\S+?)\/?\s/), command.ended]);
  const base = typeof line === 'number' ? undefined : line[1];
  const load = { listens: base !== undefined, milliseconds: 0 };
  if (base === undefined) return { id, openapi, load: { ...load, refusal: command.stderr() } };
  const found = await askServer(file, base);
  await command.stop();
  return { id, openapi, load, ...found };
}

test('the documents of every trouble and shape are loaded, answered and stored as before or better', async () => {
  const results: DocumentResult[] = [];
  for (const document of await listDocuments(folder)) results.push(await measure(document));
  const fallen = listFallen(floor, ratesOf(results));
  // If a rate fell, the troubles say why.
  expect(fallen.length === 0 ? [] : [...fallen, ...results.flatMap(listTroubles)]).toEqual([]);
}, 120_000);
