import type { DocumentResult } from '../measure/result.ts';
import type { CorpusDocument } from '../run/manifest.ts';
import type { ServerName } from '../server/server.ts';
import { listCauses } from './causes.ts';
import { causeTable } from './cause-text.ts';
import { documentTable, summaryTable, type TextTable } from './cells.ts';
import { figuresOf } from './figures.ts';
import { renderMarkdown, renderText } from './render.ts';
import { summarize } from './summary.ts';

export type ServerResults = ReadonlyMap<ServerName, readonly DocumentResult[]>;

/** Causes of each area that a terminal and a page show. */
const mostCauses = { terminal: 40, page: 15 };

/** By document, by cause, and the sum of all last. */
export function renderTextReport(results: ServerResults): string {
  const ours = results.get('ours') ?? [];
  return [
    renderText(documentTable(ours.map(figuresOf))),
    renderText(causeTable(listCauses(ours), mostCauses.terminal)),
    renderText(summaryOf(results)),
  ].join('\n\n');
}

/** For a page: the sum first. Documents are named by id and source, nothing of them is shown. */
export function renderMarkdownReport(
  results: ServerResults,
  documents: readonly CorpusDocument[],
): string {
  const ours = results.get('ours') ?? [];
  const table = documentTable(ours.map(figuresOf));
  const sources = new Map(documents.map(({ id, source }) => [id, source.replace(/^github:/, '')]));
  const withSource = {
    head: [...table.head, 'source'],
    rows: table.rows.map((row) => [...row, sources.get(row[0] ?? '') ?? '']),
  };
  return [
    renderMarkdown(summaryOf(results)),
    '### By cause',
    renderMarkdown(causeTable(listCauses(ours), mostCauses.page)),
    '### By document',
    renderMarkdown(withSource),
  ].join('\n\n');
}

function summaryOf(results: ServerResults): TextTable {
  return summaryTable(
    new Map([...results].map(([server, list]) => [server, summarize(list.map(figuresOf))])),
  );
}

/** Puts a text between the two markers of a page. Throws where the page lacks them. */
export function replaceBetweenMarkers(page: string, text: string): string {
  const [start, end] = [page.indexOf(startMarker), page.indexOf(endMarker)];
  if (start < 0 || end < start) throw new Error(`The page needs ${startMarker} and ${endMarker}.`);
  return `${page.slice(0, start + startMarker.length)}\n\n${text}\n\n${page.slice(end)}`;
}

const startMarker = '<!-- corpus:start -->';
const endMarker = '<!-- corpus:end -->';
