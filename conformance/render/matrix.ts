import { families, type Family } from '../../contract/index.ts';
import type { Report } from '../report.ts';
import { isFailure } from '../report.ts';
import type { Verdict } from '../verdict.ts';

/** A report as a table: operations by families of obligations. */
export interface Matrix {
  readonly families: readonly Family[];
  readonly rows: readonly { readonly operation: string; readonly cells: readonly Cell[] }[];
}

/** The obligations of one family of one operation, counted. */
export interface Cell {
  readonly held: number;
  readonly violated: number;
  readonly unproven: number;
}

/** Counts a report by operation and family. Open questions are not in it, nor families that the contract does not have. */
export function readMatrix(report: Report): Matrix {
  const judged = report.verdicts.filter(({ obligation }) => obligation.level !== 'open');
  const present = families.filter((family) => judged.some(({ obligation }) => obligation.family === family));
  const operations = [...new Set(judged.map(({ obligation }) => obligation.operation))].toSorted((a, b) => Number(a === '*') - Number(b === '*'));
  const rows = operations.map((operation) => ({
    operation,
    cells: present.map((family) => count(judged.filter(({ obligation }) => obligation.operation === operation && obligation.family === family))),
  }));
  return { families: present, rows };
}

function count(verdicts: readonly Verdict[]): Cell {
  const violated = verdicts.filter(isFailure).length;
  const unproven = verdicts.filter(({ kind }) => kind === 'unproven').length;
  return { held: verdicts.length - violated - unproven, violated, unproven };
}
