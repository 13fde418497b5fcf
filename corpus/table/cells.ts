import { type DocumentFigures, rateOf, type Share } from './figures.ts';
import type { SummaryLine } from './summary.ts';

/** A table as texts, for the terminal and for Markdown alike. */
export interface TextTable {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** The figures of all documents, a column for each server. */
export function summaryTable(columns: ReadonlyMap<string, readonly SummaryLine[]>): TextTable {
  const names = [...new Set([...columns.values()].flat().map(({ name }) => name))];
  return {
    head: ['', ...columns.keys()],
    rows: names.map((name) => [name, ...[...columns.values()].map((lines) => cellOf(lines, name))]),
  };
}

function cellOf(lines: readonly SummaryLine[], name: string): string {
  const value = lines.find((line) => line.name === name)?.value;
  return value === undefined ? '' : valueText(value);
}

const documentHead =
  'document,OpenAPI,loads,ms,MB,2xx,with optional,valid,pairs,exit,passed,failed,not tested';

/** The figures of each document. */
export function documentTable(documents: readonly DocumentFigures[]): TextTable {
  return { head: documentHead.split(','), rows: documents.map(documentRow) };
}

function documentRow(figures: DocumentFigures): readonly string[] {
  const { id, openapi, result, loads, answered, optional, validBodies, pairs } = figures;
  const { load, conformance, memoryAtEnd, state } = result;
  const loadWord = loads ? 'yes' : 'no';
  return [
    id,
    openapi,
    state === 'measured' ? loadWord : `${loadWord}, ${state}`,
    numberText(load?.milliseconds),
    numberText(memoryAtEnd),
    countText(answered),
    countText(optional),
    countText(validBodies),
    countText(pairs),
    conformance === undefined ? '' : (conformance.exit?.toString() ?? 'ended'),
    numberText(conformance?.passed),
    numberText(conformance?.failed),
    numberText(conformance?.notTested),
  ];
}

/** Rounded down, so that what is not whole does not look it: `99.9 % (999/1000)`. */
export function valueText(value: Share | string): string {
  if (typeof value === 'string') return value;
  const rate = rateOf(value);
  if (rate === undefined) return 'none';
  const percent = `${Math.floor(rate * 1000) / 10} %`;
  return Number.isInteger(value.part) ? `${percent} (${countText(value)})` : percent;
}

function countText({ part, whole }: Share): string {
  return whole === 0 ? '' : `${part}/${whole}`;
}

function numberText(value: number | undefined): string {
  return value === undefined ? '' : String(value);
}
