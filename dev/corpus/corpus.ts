import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { listDocuments } from './manifest.ts';
import { type DocumentResult, measureDocument } from './measure.ts';
import { type Floor, listBelowFloor, ratesOf, renderReport, renderResult } from './report.ts';

const usage = `Usage: npm run corpus -- FOLDER [options]

Measures the project on a folder of OpenAPI documents: those of its manifest.json, or all in it.
Prints what is not as it should be, and the rates of all documents.

  --only ID,ID   Measure only these documents.
  --jobs N       Measure N documents at the same time. Default: 1.
  --quick        Do not run the conformance suite against the mock.
  --results DIR  Write the result of each document to a JSON file.
  --floor FILE   Exit with code 1 if a rate is below that of the file.
`;

/** Exit code 0, 1 if a rate fell below its floor, 2 for a wrong command line. */
async function main(argv: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: {
      only: { type: 'string', multiple: true, default: [] },
      jobs: { type: 'string', default: '1' },
      quick: { type: 'boolean', default: false },
      results: { type: 'string' },
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
    console.error(`No such OpenAPI document in ${folder}.`);
    return 2;
  }
  if (values.results !== undefined) await mkdir(values.results, { recursive: true });
  const results: DocumentResult[] = [];
  const waiting = documents.entries();
  const work = async (): Promise<void> => {
    for (const [index, document] of waiting) {
      const result = await measureDocument(document, !values.quick);
      results[index] = result;
      console.error(renderResult(result));
      if (values.results !== undefined)
        await writeFile(join(values.results, `${document.id}.json`), JSON.stringify(result));
    }
  };
  await Promise.all(Array.from({ length: Number(values.jobs) }, work));
  console.log(renderReport(results));
  if (values.floor === undefined) return 0;
  const floor: Floor = JSON.parse(await readFile(values.floor, 'utf8'));
  const fallen = listBelowFloor(floor, ratesOf(results));
  for (const sentence of fallen) console.error(sentence);
  return fallen.length === 0 ? 0 : 1;
}

process.exitCode = await main(process.argv.slice(2));
