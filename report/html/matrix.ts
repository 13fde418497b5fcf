import { type Verdict, isFailure } from '../../conformance/index.ts';
import { type Html, html, renderProse } from '../../page/view/element.ts';
import { Table } from '../../page/view/table.ts';
import { describeCell, nameOperation, type Cell, type Matrix } from '../model/matrix.ts';
import { describeWaiver } from '../model/summary.ts';
import { failureAnchor } from './cause.ts';

/** The table of operations by families. A cell opens above the page, and moves nothing. */
export function renderMatrix({ families, rows }: Matrix): Html {
  const cells = rows.map(({ operation, cells: some }, row) =>
    some.map((cell, column) => ({
      cell,
      id: `cell-${row + 1}-${column + 1}`,
      operation: nameOperation(operation),
      family: families[column] ?? '',
    })),
  );
  const table = Table({
    kind: 'matrix',
    label: 'Requirements by operation and family',
    columns: ['Operation', ...families],
    rows: cells.map((row) => ({ head: row[0]?.operation, cells: row.map(renderCell) })),
  });
  return [table, cells.flat().map(renderDetail)];
}

interface PlacedCell {
  readonly cell: Cell;
  readonly id: string;
  readonly operation: string;
  readonly family: string;
}

function renderCell({ cell, id, operation, family }: PlacedCell): Html {
  if (cell.verdicts.length === 0) return null;
  const count = describeCount(cell);
  return html`<button type="button" class=${toneOf(cell)} popovertarget=${id} aria-label=${`${operation}, ${family} ${count}`}><span class="family">${family}</span>${' '}<span>${count}</span></button>`;
}

function renderDetail({ cell, id, operation, family }: PlacedCell): Html {
  if (cell.verdicts.length === 0) return null;
  const verdicts = cell.verdicts.toSorted((one, other) => rankOf(one) - rankOf(other));
  return html`<div id=${id} popover="auto" role="dialog" aria-labelledby=${`${id}-title`} class="detail">
    <div class="bar"><h3 id=${`${id}-title`}>${`${operation}, ${family}: ${describeCount(cell)}`}</h3><button type="button" popovertarget=${id} popovertargetaction="hide">Close</button></div>
    <ul>${verdicts.map(renderVerdict)}</ul>
  </div>`;
}

function describeCount(cell: Cell): string {
  const words = describeCell(cell).replace('FAILED', 'failed');
  return words.includes('/') ? `${words} passed` : words;
}

function toneOf({ failed, notTested, waived }: Cell): string {
  if (failed > 0) return 'failed';
  return notTested + waived > 0 ? 'partly' : 'passed';
}

function rankOf(verdict: Verdict): number {
  return ['failed', 'waived', 'not-tested', 'open', 'passed'].indexOf(verdict.kind);
}

function renderVerdict(verdict: Verdict): Html {
  const { id, sentence } = verdict.requirement;
  const isAdvice = verdict.kind === 'failed' && !isFailure(verdict);
  const kind = isAdvice ? 'advised' : verdict.kind === 'open' ? 'passed' : verdict.kind;
  const reason = describeReason(verdict);
  const name =
    kind === 'passed' || kind === 'not-tested'
      ? html`<code>${id}</code>`
      : html`<a href=${`#${failureAnchor(id)}`}><code>${id}</code></a>`;
  return html`<li class=${kind}>
    <span class="word">${kind.replace('-', ' ')}</span>${' '}${name}<br />${renderProse(sentence)}${reason === '' ? null : html` <em>${reason}</em>`}
  </li>`;
}

function describeReason(verdict: Verdict): string {
  if (verdict.kind === 'not-tested') return verdict.reason;
  return verdict.kind === 'waived' ? describeWaiver(verdict.waiver) : '';
}
