import { families, type Family } from '../../contract/index.ts';
import { isFailure, type Report } from '../../conformance/index.ts';
import type { Verdict } from '../../conformance/index.ts';

/** A report as a table: operations by families of obligations. */
export interface Matrix {
  readonly families: readonly Family[];
  readonly rows: readonly { readonly operation: string; readonly cells: readonly Cell[] }[];
}

/** The obligations of one family of one operation, counted. */
export interface Cell {
  /** In the contract's order. */
  readonly verdicts: readonly Verdict[];
  readonly held: number;
  readonly violated: number;
  readonly waived: number;
  readonly unproven: number;
}

/**
 * Counts a report by operation and family. Open questions are not in it, nor families that the
 * contract does not have.
 */
export function readMatrix(report: Report): Matrix {
  const judged = report.verdicts.filter(({ obligation }) => obligation.level !== 'open');
  const present = families.filter((family) =>
    judged.some(({ obligation }) => obligation.family === family),
  );
  const operations = [...new Set(judged.map(({ obligation }) => obligation.operation))].toSorted(
    (a, b) => Number(a === '*') - Number(b === '*'),
  );
  const rows = operations.map((operation) => ({
    operation,
    cells: present.map((family) =>
      count(
        judged.filter(
          ({ obligation }) => obligation.operation === operation && obligation.family === family,
        ),
      ),
    ),
  }));
  return { families: present, rows };
}

function count(verdicts: readonly Verdict[]): Cell {
  const violated = verdicts.filter(isFailure).length;
  const unproven = verdicts.filter(({ kind }) => kind === 'unproven').length;
  const waived = verdicts.filter(({ kind }) => kind === 'waived').length;
  return {
    verdicts,
    held: verdicts.length - violated - waived - unproven,
    violated,
    waived,
    unproven,
  };
}

/** The name of an operation for people: the star stands for the service as a whole. */
export function nameOperation(operation: string): string {
  return operation === '*' ? 'service' : operation;
}

/** A cell in a few words: `2 BROKEN`, `3/5`, `24 held`; empty where it has no obligation. */
export function describeCell({ verdicts, held, violated }: Cell): string {
  const all = verdicts.length;
  if (all === 0) return '';
  if (violated > 0) return `${violated} BROKEN`;
  return held < all ? `${held}/${all}` : `${all} held`;
}
