import type { OperationRow } from './measure/answers.ts';
import type { DocumentResult } from './measure/measure.ts';

/** So many of so many. */
export interface Share {
  readonly part: number;
  readonly whole: number;
}

/** Rates that may only rise: their floor is in a file. */
const rateNames = [
  'loads',
  'answered',
  'answeredMean',
  'validBodies',
  'pairs',
  'conforms',
  'tested',
] as const;

export type Rates = Readonly<Partial<Record<(typeof rateNames)[number], Share>>>;
export type Floor = Readonly<Partial<Record<(typeof rateNames)[number], number>>>;

/** What each rate counts. */
const titles: Readonly<Record<(typeof rateNames)[number], string>> = {
  loads: 'documents that load',
  answered: 'operations answered 2xx, of loaded documents',
  answeredMean: 'the same over all documents, mean',
  validBodies: '2xx JSON bodies valid by their schema',
  pairs: 'POST/GET pairs where the created item comes back',
  conforms: 'documents that judge their own mock: exit 0 (without operations: 2)',
  tested: 'requirements tested in these runs',
};

/** Rows whose request follows the document for certain. */
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

function addShares(shares: readonly Share[]): Share {
  return shares.reduce((sum, { part, whole }) => ({
    part: sum.part + part,
    whole: sum.whole + whole,
  }));
}

/** The rates of all documents together; without a judgement of the mock none about that. */
export function ratesOf(results: readonly DocumentResult[]): Rates {
  const loaded = results.filter(({ load }) => load?.listens === true);
  const judged = results.filter(({ conformance }) => conformance !== undefined);
  const nothing = { part: 0, whole: 0 };
  const total = (name: keyof ReturnType<typeof sharesOf>): Share =>
    addShares([nothing, ...loaded.map((result) => sharesOf(result)[name])]);
  // One that does not load answers nothing; one without operations has no rate.
  const means = results.flatMap((result) => {
    const { part, whole } = sharesOf(result).answered;
    return whole > 0 ? [part / whole] : loaded.includes(result) ? [] : [0];
  });
  const rates: Rates = {
    loads: { part: loaded.length, whole: results.length },
    answered: total('answered'),
    answeredMean: { part: means.reduce((sum, rate) => sum + rate, 0), whole: means.length },
    validBodies: total('validBodies'),
    pairs: total('pairs'),
  };
  if (judged.length === 0) return rates;
  const conforms = { part: judged.filter(endsRightly).length, whole: results.length };
  return { ...rates, conforms, tested: total('tested') };
}

/** A document without operations leaves nothing to test, so its run is inconclusive: exit code 2. */
function endsRightly({ answers, conformance }: DocumentResult): boolean {
  const hasNone = answers?.rows.length === 0 && answers.unreached === 0;
  return conformance?.exit === (hasNone ? 2 : 0);
}

/** A sentence for each rate that fell. A rate that was not measured, or has no floor, does not count. */
export function listFallen(floor: Floor, rates: Rates): readonly string[] {
  return rateNames.flatMap((name) => {
    const [least, { part, whole } = { part: 0, whole: 0 }] = [floor[name], rates[name]];
    if (least === undefined || whole === 0 || part / whole >= least) return [];
    return [`${name} fell below its floor: ${(part / whole).toFixed(4)} instead of ${least}.`];
  });
}

/** What is not as it should be, a line for each: the document, the place, what was found. */
export function listTroubles(result: DocumentResult): readonly string[] {
  const { id, state, load, unread, answers, optional, pairs = [], conformance } = result;
  const rows = certainRows([...(answers?.rows ?? []), ...(optional?.rows ?? [])]);
  const found: readonly (readonly [place: string, text: string])[] = [
    ...(state === 'measured' ? [] : [['measure', state] as const]),
    ...(load?.refusal === undefined ? [] : [['load', load.refusal] as const]),
    ...(unread === undefined ? [] : [['not read', unread] as const]),
    ...rows
      .filter((row) => !isSuccess(row) || !['valid', 'unjudged', undefined].includes(row.body))
      .map(({ operation, outcome, status = '', body = '', detail = '', text = '' }) => {
        return [operation, `${outcome} ${status} ${body} ${detail} ${text}`] as const;
      }),
    ...pairs
      .filter(({ kept }) => !kept)
      .map(({ collection, reason = '' }) => [`POST/GET ${collection}`, reason] as const),
    ...Object.entries(conformance?.causes ?? {}).map(
      ([cause, count]) => [`conform, ${count} times`, cause] as const,
    ),
    ...(conformance?.error === undefined ? [] : [['conform', conformance.error] as const]),
  ];
  return found.map(
    ([place, text]) => `${id}: ${place}: ${text.replaceAll(/\s+/g, ' ').trim().slice(0, 200)}`,
  );
}

/** One line about a document. */
export function renderResult(result: DocumentResult): string {
  const { id, state, load, conformance, seconds = 0 } = result;
  if (state !== 'measured') return `${id}: ${state}`;
  if (load?.listens !== true) return `${id}: does not load`;
  const { answered, validBodies, pairs } = sharesOf(result);
  const conform = conformance === undefined ? '' : `, conform ${conformance.exit ?? 'ended'}`;
  return (
    `${id}: ${load.milliseconds} ms, 2xx ${renderShare(answered)}, ` +
    `valid ${renderShare(validBodies)}, pairs ${renderShare(pairs)}${conform}, ${seconds} s`
  );
}

/** Every trouble, then the rates. */
export function renderReport(results: readonly DocumentResult[]): string {
  const rates = ratesOf(results);
  const lines = rateNames.flatMap((name) => {
    const rate = rates[name];
    return rate === undefined ? [] : [`${titles[name].padEnd(70)}${renderShare(rate)}`];
  });
  return [...results.flatMap(listTroubles), '', ...lines].join('\n');
}

/** Rounded down, so that what is not whole does not look it: `99.9 % (999/1000)`. */
export function renderShare({ part, whole }: Share): string {
  if (whole === 0) return 'none';
  const percent = `${Math.floor((part / whole) * 1000) / 10} %`;
  return Number.isInteger(part) ? `${percent} (${part}/${whole})` : percent;
}
