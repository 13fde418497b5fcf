import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

/** What the command line asks for. */
export interface CorpusOptions {
  /** Folder of documents. */
  readonly folder: string;
  /** Only the documents with these ids; all where it is empty. */
  readonly only: readonly string[];
  readonly jobs: number;
  /** Seconds that one document may take. */
  readonly limit: number;
  /** No judgement of the own mock. */
  readonly quick: boolean;
  readonly fullBudget: boolean;
  readonly prism: boolean;
  readonly fresh: boolean;
  readonly results: string;
  readonly markdown: string | undefined;
  readonly floor: string | undefined;
  readonly raise: boolean;
}

export const usage = `Usage: npm run corpus -- FOLDER [options]

Measures the project on a folder of OpenAPI documents: those of its manifest.json, or all in it.

  --only ID,ID     Only these documents.
  --jobs N         Documents at the same time. Default: 1.
  --limit SECONDS  What one document may take. Default: 210; 400 with --full-budget.
  --quick          Does not judge the project's own mock.
  --full-budget    Judges once more, with as many requests as the whole plan takes.
  --prism          Measures Prism on the same documents too.
  --results DIR    Where results are kept. Default: a folder for temporary files.
  --fresh          Measures again what has a result there.
  --markdown FILE  Writes the tables into the file, between its markers.
  --floor FILE     Exit code 1 where a rate is below the file's.
  --raise          Raises the rates in that file to those measured; none is lowered.
`;

/** Throws an error with a sentence for the user; undefined where the usage is asked for. */
export function readOptions(argv: readonly string[]): CorpusOptions | undefined {
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: {
      only: { type: 'string', multiple: true, default: [] },
      jobs: { type: 'string', default: '1' },
      limit: { type: 'string' },
      quick: { type: 'boolean', default: false },
      'full-budget': { type: 'boolean', default: false },
      prism: { type: 'boolean', default: false },
      results: { type: 'string', default: join(tmpdir(), 'petstore-corpus') },
      fresh: { type: 'boolean', default: false },
      markdown: { type: 'string' },
      floor: { type: 'string' },
      raise: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const [folder, ...rest] = positionals;
  if (values.help) return undefined;
  if (folder === undefined || rest.length > 0) throw new Error('Name one folder of documents.');
  if (values.only.length > 0 && values.floor !== undefined)
    throw new Error('--only and --floor do not go together: a floor is that of all documents.');
  if (values.raise && values.floor === undefined) throw new Error('--raise needs --floor.');
  return {
    folder: resolve(folder),
    only: values.only.flatMap((ids) => ids.split(',')),
    jobs: readNumber('--jobs', values.jobs),
    limit: readNumber('--limit', values.limit ?? (values['full-budget'] ? '400' : '210')),
    quick: values.quick,
    fullBudget: values['full-budget'],
    prism: values.prism,
    fresh: values.fresh,
    results: resolve(values.results),
    markdown: values.markdown,
    floor: values.floor,
    raise: values.raise,
  };
}

function readNumber(flag: string, text: string): number {
  const number = Number(text);
  if (Number.isInteger(number) && number > 0) return number;
  throw new Error(`${flag} takes a whole number above 0.`);
}
