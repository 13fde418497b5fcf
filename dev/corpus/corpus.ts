import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { listDocuments } from './manifest.ts';
import type { DocumentResult } from './measure/measure.ts';
import { type Floor, listFallen, ratesOf, renderReport, renderResult } from './report.ts';
import { readResult, runDocument } from './run-document.ts';

const usage = `Usage: npm run corpus -- FOLDER [options]

Measures the project on a folder of OpenAPI documents: those of its manifest.json, or all in it.
Prints what is not as it should be, and the rates of all documents.

  --only ID,ID     Only these documents.
  --jobs N         Documents at the same time. Default: 1.
  --limit SECONDS  What one document may take. Default: 210.
  --quick          Does not judge the project's own mock.
  --results DIR    Where results are kept. Default: a folder for temporary files.
  --fresh          Measures again what has a result there.
  --floor FILE     Exit code 1 if a rate is below the file's.
`;

/** Exit code 0, 1 if a rate fell below its floor, 2 for a wrong command line. */
async function main(argv: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: {
      only: { type: 'string', multiple: true, default: [] },
      jobs: { type: 'string', default: '1' },
      limit: { type: 'string', default: '210' },
      quick: { type: 'boolean', default: false },
      results: { type: 'string', default: join(tmpdir(), 'petstore-corpus') },
      fresh: { type: 'boolean', default: false },
      floor: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  const [folder, ...rest] = positionals;
  if (values.help || folder === undefined || rest.length > 0) {
    console.log(usage);
    return values.help ? 0 : 2;
  }
  const only = values.only.flatMap((ids) => ids.split(','));
  const all = await listDocuments(resolve(folder));
  const documents = only.length === 0 ? all : all.filter(({ id }) => only.includes(id));
  if (documents.length === 0) {
    console.error('The folder has no such document.');
    return 2;
  }
  const results: DocumentResult[] = [];
  const waiting = documents.entries();
  const work = async (): Promise<void> => {
    for (const [index, document] of waiting) {
      const file = join(resolve(values.results), `${document.id}.json`);
      const kept = values.fresh ? undefined : await readResult(file);
      const isKept = kept !== undefined && kept.state !== 'unfinished';
      const settings = { ...document, conform: !values.quick };
      const result = isKept ? kept : await runDocument(settings, file, Number(values.limit));
      results[index] = result;
      console.error(renderResult(result));
    }
  };
  await Promise.all(Array.from({ length: Number(values.jobs) }, work));
  console.log(renderReport(results));
  if (values.floor === undefined) return 0;
  const floor: Floor = JSON.parse(await readFile(values.floor, 'utf8'));
  const fallen = listFallen(floor, ratesOf(results));
  for (const sentence of fallen) console.error(sentence);
  return fallen.length === 0 ? 0 : 1;
}

process.exitCode = await main(process.argv.slice(2));
