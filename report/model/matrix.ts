import {
  families,
  type Family,
  type Report,
  type Verdict,
  isFailure,
} from '../../conformance/index.ts';

export interface Matrix {
  readonly families: readonly Family[];
  readonly rows: readonly Row[];
}

interface Row {
  readonly operation: string;
  /** By family. */
  readonly cells: readonly Cell[];
}

export interface Cell {
  /** In the contract's order. */
  readonly verdicts: readonly Verdict[];
  readonly passed: number;
  readonly failed: number;
}

/** Counts verdicts by operation and family, without open questions and empty families. */
export function readMatrix(report: Report): Matrix {
  const judged = report.verdicts.filter(({ requirement }) => requirement.level !== 'open');
  const present = families.filter((family) =>
    judged.some(({ requirement }) => requirement.family === family),
  );
  const byOperation = [...Map.groupBy(judged, ({ requirement }) => requirement.operation)].toSorted(
    ([a], [b]) => Number(a === '*') - Number(b === '*'),
  );
  const rows = byOperation.map(([operation, verdicts]) => {
    const byFamily = Map.groupBy(verdicts, ({ requirement }) => requirement.family);
    return { operation, cells: present.map((family) => count(byFamily.get(family) ?? [])) };
  });
  return { families: present, rows };
}

/** At most `most` rows, those with failures first. The others are added up in a further row. */
export function foldMatrix({ families: present, rows }: Matrix, most: number): Matrix {
  if (rows.length <= most) return { families: present, rows };
  const sorted = rows.toSorted((a, b) => Number(hasFailures(b)) - Number(hasFailures(a)));
  const others = sorted.slice(most);
  const cells = present.map((_, at) =>
    count(others.flatMap((row) => row.cells[at]?.verdicts ?? [])),
  );
  const operation = `${others.length} more`;
  return { families: present, rows: [...sorted.slice(0, most), { operation, cells }] };
}

function hasFailures({ cells }: Row): boolean {
  return cells.some(({ failed }) => failed > 0);
}

function count(verdicts: readonly Verdict[]): Cell {
  const failed = verdicts.filter(isFailure).length;
  const unproven = verdicts.filter(({ kind }) => kind === 'not-tested' || kind === 'waived').length;
  return { verdicts, passed: verdicts.length - failed - unproven, failed };
}

export function nameOperation(operation: string): string {
  return operation === '*' ? 'service' : operation;
}

/** A cell in a few words: `2 FAILED`, `3/5`, `24 passed`; empty if it has no requirement. */
export function describeCell({ verdicts, passed, failed }: Cell): string {
  const all = verdicts.length;
  if (all === 0) return '';
  if (failed > 0) return `${failed} FAILED`;
  return passed < all ? `${passed}/${all}` : `${all} passed`;
}
