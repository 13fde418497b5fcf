import type { DocumentResult, OperationRow } from './measure.ts';

/** A count and its total. */
export interface Share {
  readonly part: number;
  readonly whole: number;
}

/** The meaning of each rate. Rates may only rise: their floors are in a file. */
const titles: Readonly<Record<string, string>> = {
  loads: 'documents that load',
  answered: 'operations answered 2xx, of loaded documents',
  answeredMean: 'the same over all documents, mean',
  validBodies: '2xx JSON bodies valid by their schema',
  pairs: 'POST/GET pairs where the created item comes back',
  conforms: 'documents that judge their own mock: exit 0 (without operations: 2)',
  tested: 'requirements tested in these runs',
};

/** By the names of the titles. */
export type Rates = Readonly<Record<string, Share>>;
export type Floor = Readonly<Record<string, number>>;

/** Rows whose request is certainly valid. */
const certainRows = (rows: readonly OperationRow[] = []): readonly OperationRow[] =>
  rows.filter(({ doubts }) => doubts === undefined);
const isSuccess = ({ outcome }: OperationRow): boolean => outcome === 'success';

function share<Item>(items: readonly Item[], isPart: (item: Item) => boolean): Share {
  return { part: items.filter(isPart).length, whole: items.length };
}

/** The shares of one document. */
function sharesOf({ answers, pairs = [], conformance }: DocumentResult) {
  const rows = certainRows(answers?.rows);
  const judged = rows
    .filter(isSuccess)
    .filter(({ body }) => body !== undefined && body !== 'unjudged');
  const { passed = 0, failed = 0, notTested = 0 } = conformance ?? {};
  return {
    answered: share(rows, isSuccess),
    validBodies: share(judged, ({ body }) => body === 'valid'),
    pairs: share(pairs, ({ kept }) => kept),
    tested: { part: passed + failed, whole: passed + failed + notTested },
  };
}

/** The rates of all documents together; those about conformance only where it was measured. */
export function ratesOf(results: readonly DocumentResult[]): Rates {
  const loaded = results.filter(({ load }) => load.listens);
  const judged = results.filter(({ conformance }) => conformance !== undefined);
  const shares = loaded.map(sharesOf);
  const total = (name: keyof ReturnType<typeof sharesOf>): Share => ({
    part: shares.reduce((sum, one) => sum + one[name].part, 0),
    whole: shares.reduce((sum, one) => sum + one[name].whole, 0),
  });
  // A document that does not load counts as 0; one without operations has no rate.
  const means = shares.flatMap(({ answered: { part, whole } }) =>
    whole > 0 ? [part / whole] : [],
  );
  const rates: Rates = {
    loads: { part: loaded.length, whole: results.length },
    answered: total('answered'),
    answeredMean: {
      part: means.reduce((sum, rate) => sum + rate, 0),
      whole: means.length + results.length - loaded.length,
    },
    validBodies: total('validBodies'),
    pairs: total('pairs'),
  };
  if (judged.length === 0) return rates;
  const conforms = { part: judged.filter(endsRightly).length, whole: results.length };
  return { ...rates, conforms, tested: total('tested') };
}

/** A document without operations leaves nothing to test, so its run must be inconclusive: exit code 2. */
function endsRightly({ answers, conformance }: DocumentResult): boolean {
  const hasNone = answers?.rows.length === 0 && answers.unreached === 0;
  return conformance?.exit === (hasNone ? 2 : 0);
}

/** A sentence for each rate that fell. Rates that were not measured or have no floor do not count. */
export function listBelowFloor(floor: Floor, rates: Rates): readonly string[] {
  return Object.entries(rates)
    .filter(([name, { part, whole }]) => whole > 0 && part / whole < (floor[name] ?? 0))
    .map(
      ([name, { part, whole }]) =>
        `${name} fell below its floor: ${(part / whole).toFixed(4)} instead of ${floor[name]}.`,
    );
}

/** One line for each incorrect result: the document, the position, the finding. */
export function listProblems(result: DocumentResult): readonly string[] {
  const { id, load, unread, answers, optional, pairs = [], conformance } = result;
  const lines: string[] = [];
  const add = (place: string, text: string | undefined): void => {
    if (text === undefined) return;
    lines.push(`${id}: ${place}: ${text.replaceAll(/\s+/g, ' ').trim().slice(0, 200)}`);
  };
  add('load', load.refusal);
  add('not read', unread);
  for (const row of certainRows([...(answers?.rows ?? []), ...(optional?.rows ?? [])])) {
    const { operation, outcome, status = '', body = '', detail = '', text = '' } = row;
    if (isSuccess(row) && ['', 'valid', 'unjudged'].includes(body)) continue;
    add(operation, `${outcome} ${status} ${body} ${detail} ${text}`);
  }
  for (const { collection, kept, reason = '' } of pairs)
    if (!kept) add(`POST/GET ${collection}`, reason);
  for (const [cause, count] of Object.entries(conformance?.causes ?? {}))
    add(`conform, ${count} times`, cause);
  add('conform', conformance?.error);
  return lines;
}

/** One line about a document. */
export function renderResult(result: DocumentResult): string {
  const { id, load, conformance } = result;
  if (!load.listens) return `${id}: does not load`;
  const { answered, validBodies, pairs } = sharesOf(result);
  const conform = conformance === undefined ? '' : `, conform ${conformance.exit ?? 'ended'}`;
  return (
    `${id}: ${load.milliseconds} ms, 2xx ${renderShare(answered)}, ` +
    `valid ${renderShare(validBodies)}, pairs ${renderShare(pairs)}${conform}`
  );
}

/** All problems, then the rates. */
export function renderReport(results: readonly DocumentResult[]): string {
  const lines = Object.entries(ratesOf(results)).map(
    ([name, rate]) => `${(titles[name] ?? name).padEnd(70)}${renderShare(rate)}`,
  );
  return [...results.flatMap(listProblems), '', ...lines].join('\n');
}

/** Rounded down, so that an incomplete share never looks complete: `99.9 % (999/1000)`. */
export function renderShare({ part, whole }: Share): string {
  if (whole === 0) return 'none';
  const percent = `${Math.floor((part / whole) * 1000) / 10} %`;
  return Number.isInteger(part) ? `${percent} (${part}/${whole})` : percent;
}
