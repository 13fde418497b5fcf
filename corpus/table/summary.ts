import { addShares, type DocumentFigures, rateOf, type Share, share } from './figures.ts';

/** A line of the table of all documents. */
export interface SummaryLine {
  readonly name: string;
  /** A share, or a number with its unit. */
  readonly value: Share | string;
  /** The name of a rate that may only rise; none for what is only told. */
  readonly rate?: RateName;
}

export const rateNames = [
  'loads',
  'answered',
  'answeredMean',
  'validBodies',
  'pairs',
  'conforms',
  'tested',
] as const;

export type RateName = (typeof rateNames)[number];

/** The figures of all documents together. */
export function summarize(documents: readonly DocumentFigures[]): readonly SummaryLine[] {
  const loaded = documents.filter(({ loads }) => loads);
  const judged = documents.filter(({ result }) => result.conformance !== undefined);
  const full = documents.filter(({ result }) => result.fullConformance !== undefined);
  const total = (pick: (one: DocumentFigures) => Share): Share => addShares(loaded.map(pick));
  return [
    { name: 'documents that load', value: share(documents, ({ loads }) => loads), rate: 'loads' },
    { name: 'median time to listen', value: median(loaded, listenMilliseconds, 'ms') },
    { name: 'longest time to listen', value: most(loaded, listenMilliseconds, 'ms') },
    { name: 'median memory after load', value: median(loaded, memoryAfterLoad, 'MB') },
    { name: 'most memory at the end', value: most(loaded, memoryAtEnd, 'MB') },
    {
      name: 'operations answered 2xx, of loaded documents',
      value: total(({ answered }) => answered),
      rate: 'answered',
    },
    {
      name: 'the same over all documents, mean',
      value: meanAnswered(documents),
      rate: 'answeredMean',
    },
    { name: 'the same with optional query parameters', value: total(({ optional }) => optional) },
    {
      name: '2xx JSON bodies valid by their schema',
      value: total(({ validBodies }) => validBodies),
      rate: 'validBodies',
    },
    {
      name: 'POST/GET pairs where the created item comes back',
      value: total(({ pairs }) => pairs),
      rate: 'pairs',
    },
    ...(judged.length === 0
      ? []
      : [
          {
            name: 'documents that judge their own mock: exit 0 (without operations: 2)',
            value: { part: judged.filter(endsRightly).length, whole: documents.length },
            rate: 'conforms' as const,
          },
          { name: 'the same of loaded documents', value: share(judged, endsRightly) },
          {
            name: 'requirements tested in these runs',
            value: total(({ tested }) => tested),
            rate: 'tested' as const,
          },
        ]),
    ...(full.length === 0
      ? []
      : [
          {
            name: 'requirements tested with the budget of the whole plan',
            value: total(({ fullTested }) => fullTested),
          },
          {
            name: 'exit 0 with the budget of the whole plan',
            value: share(full, ({ result }) => result.fullConformance?.exit === 0),
          },
        ]),
    {
      name: 'measures that did not come to their end',
      value: String(documents.filter(({ result }) => result.state !== 'measured').length),
    },
  ];
}

/** A document without operations leaves nothing to test, so its run is inconclusive: exit code 2. */
function endsRightly({ result }: DocumentFigures): boolean {
  const hasNone = result.answers?.rows.length === 0 && result.answers.unreached === 0;
  return result.conformance?.exit === (hasNone ? 2 : 0);
}

/** Rates of a summary by their names. */
export function ratesOf(lines: readonly SummaryLine[]): ReadonlyMap<RateName, number> {
  const rates = new Map<RateName, number>();
  for (const { rate, value } of lines) {
    const number = typeof value === 'string' ? undefined : rateOf(value);
    if (rate !== undefined && number !== undefined) rates.set(rate, number);
  }
  return rates;
}

/** Of documents with operations; one that does not load answers nothing. */
function meanAnswered(documents: readonly DocumentFigures[]): Share {
  const rates = documents.flatMap(({ loads, answered }) => {
    const rate = rateOf(answered);
    return rate === undefined ? (loads ? [] : [0]) : [rate];
  });
  return { part: rates.reduce((a, b) => a + b, 0), whole: rates.length };
}

type Pick = (one: DocumentFigures) => number | undefined;

const listenMilliseconds: Pick = ({ result }) => result.load?.milliseconds;
const memoryAfterLoad: Pick = ({ result }) => result.load?.memory?.now;
const memoryAtEnd: Pick = ({ result }) => result.memoryAtEnd;

function median(documents: readonly DocumentFigures[], pick: Pick, unit: string): string {
  const numbers = documents.map(pick).filter((number) => number !== undefined);
  const middle = numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];
  return middle === undefined ? 'none' : `${middle} ${unit}`;
}

function most(documents: readonly DocumentFigures[], pick: Pick, unit: string): string {
  const numbers = documents.map(pick).filter((number) => number !== undefined);
  return numbers.length === 0 ? 'none' : `${Math.max(...numbers)} ${unit}`;
}
