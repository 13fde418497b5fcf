import type { OperationRow } from '../measure/answers.ts';
import type { DocumentResult } from '../measure/measure.ts';

/** A result of a document that loaded, with the rows that a test is about. */
export function loadedResult(
  id: string,
  rows: readonly OperationRow[],
  more: Partial<DocumentResult> = {},
): DocumentResult {
  return {
    id,
    openapi: '3.1.0',
    state: 'measured',
    load: { listens: true, milliseconds: 100 },
    answers: { rows, unreached: 0 },
    ...more,
  };
}

export function refusedResult(id: string, refusal: string): DocumentResult {
  const load = { listens: false, milliseconds: 50, refusal };
  return { id, openapi: '2.0', state: 'measured', load };
}

export function row(operation: string, more: Partial<OperationRow> = {}): OperationRow {
  return {
    operation,
    method: 'GET',
    path: `/${operation}`,
    outcome: 'success',
    status: 200,
    ...more,
  };
}
