import type { OperationRow } from '../measure/answers.ts';
import type { DocumentResult } from '../measure/result.ts';

/** So many of so many. */
export interface Share {
  readonly part: number;
  readonly whole: number;
}

/** The figures of one document. */
export interface DocumentFigures {
  readonly id: string;
  readonly openapi: string;
  readonly result: DocumentResult;
  readonly loads: boolean;
  /** Operations answered with a documented status below 400, of those asked lawfully. */
  readonly answered: Share;
  /** The same with every optional query parameter. */
  readonly optional: Share;
  /** JSON bodies that fit their schema, of those that could be judged. */
  readonly validBodies: Share;
  /** POST/GET pairs where the created item comes back. */
  readonly pairs: Share;
  /** Requirements that the run on its own mock decided. */
  readonly tested: Share;
  readonly fullTested: Share;
}

export function figuresOf(result: DocumentResult): DocumentFigures {
  const { id, openapi, load, answers, optional, pairs = [] } = result;
  const rows = (answers?.rows ?? []).filter(isLawful);
  const judged = rows.filter((row) => isSuccess(row) && isJudged(row));
  return {
    id,
    openapi,
    result,
    loads: load?.listens === true,
    answered: share(rows, isSuccess),
    optional: share((optional?.rows ?? []).filter(isLawful), isSuccess),
    validBodies: share(judged, ({ body }) => body === 'valid'),
    pairs: share(pairs, ({ kept }) => kept),
    tested: testedShare(result.conformance),
    fullTested: testedShare(result.fullConformance),
  };
}

export function isLawful({ doubts }: OperationRow): boolean {
  return doubts === undefined;
}

export function isSuccess({ outcome }: OperationRow): boolean {
  return outcome === 'success';
}

/** True where the document says of a body what it must be. */
export function isJudged({ body }: OperationRow): boolean {
  return body !== undefined && body !== 'unjudged';
}

/** The sum of shares. */
export function addShares(shares: readonly Share[]): Share {
  return shares.reduce(
    (sum, { part, whole }) => ({ part: sum.part + part, whole: sum.whole + whole }),
    { part: 0, whole: 0 },
  );
}

/** A share as a number of at most 1; undefined of nothing. */
export function rateOf({ part, whole }: Share): number | undefined {
  return whole === 0 ? undefined : part / whole;
}

export function share<Item>(items: readonly Item[], isPart: (item: Item) => boolean): Share {
  return { part: items.filter(isPart).length, whole: items.length };
}

function testedShare(conformance: DocumentResult['conformance']): Share {
  const { passed = 0, failed = 0, notTested = 0 } = conformance ?? {};
  return { part: passed + failed, whole: passed + failed + notTested };
}
