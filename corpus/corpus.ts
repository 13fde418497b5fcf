import { readFile, writeFile } from 'node:fs/promises';
import { type CorpusOptions, readOptions, usage } from './options.ts';
import { listDocuments } from './run/manifest.ts';
import { runCorpus } from './run/run-corpus.ts';
import type { ServerName } from './server/server.ts';
import { type Floor, listFallen, raiseFloor } from './table/floor.ts';
import { renderMarkdownReport, renderTextReport, replaceBetweenMarkers } from './table/report.ts';
import { figuresOf } from './table/figures.ts';
import { ratesOf, summarize } from './table/summary.ts';
import type { DocumentResult } from './measure/result.ts';
import { progressLine } from './table/progress-line.ts';

/** `npm run corpus`: exit code 0, 1 where a rate fell below its floor, 2 for a wrong command line. */
async function main(argv: readonly string[]): Promise<number> {
  let options: CorpusOptions | undefined;
  try {
    options = readOptions(argv);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return 2;
  }
  if (options === undefined) {
    console.log(usage);
    return 0;
  }
  return measure(options);
}

const onResult = (result: DocumentResult): void => console.error(progressLine(result));

async function measure(options: CorpusOptions): Promise<number> {
  const all = await listDocuments(options.folder);
  const { only } = options;
  const documents = only.length === 0 ? all : all.filter(({ id }) => only.includes(id));
  if (documents.length === 0) {
    console.error('The folder has no such document.');
    return 2;
  }
  const page = options.markdown === undefined ? '' : await readFile(options.markdown, 'utf8');
  const servers: readonly ServerName[] = options.prism ? ['ours', 'prism'] : ['ours'];
  const results = new Map<ServerName, readonly DocumentResult[]>();
  for (const server of servers) {
    const conform = !options.quick;
    results.set(server, await runCorpus(documents, { ...options, server, conform, onResult }));
  }
  console.log(renderTextReport(results));
  if (options.markdown !== undefined) {
    const tables = renderMarkdownReport(results, documents);
    await writeFile(options.markdown, replaceBetweenMarkers(page, tables));
  }
  return options.floor === undefined
    ? 0
    : await holdFloor(options.floor, options.raise, results.get('ours') ?? []);
}

async function holdFloor(
  file: string,
  raise: boolean,
  results: readonly DocumentResult[],
): Promise<number> {
  const floor: Floor = JSON.parse(await readFile(file, 'utf8'));
  const rates = ratesOf(summarize(results.map(figuresOf)));
  const fallen = listFallen(floor, rates);
  for (const sentence of fallen) console.error(sentence);
  if (raise) await writeFile(file, `${JSON.stringify(raiseFloor(floor, rates), undefined, 2)}\n`);
  return fallen.length === 0 ? 0 : 1;
}

process.exitCode = await main(process.argv.slice(2));
