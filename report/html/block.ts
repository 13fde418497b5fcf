import { type Html, html, renderProse } from '../../page/view/element.ts';
import { Table } from '../../page/view/table.ts';
import type { Block, Cell } from '../sections/sections.ts';

/** Pieces of evidence that are shown for a question; more say the same. */
const mostEvidence = 3;

/** A part of a section, but for causes, which have a place on the page. */
export function renderBlock(block: Block): Html {
  switch (block.kind) {
    case 'causes':
      return null;
    case 'table':
      return Table({
        kind: 'list',
        label: block.label,
        columns: block.columns,
        rows: block.rows.map(({ cells: [head, ...cells] }) => ({
          head: renderCell(head),
          cells: cells.map(renderCell),
        })),
      });
    case 'list': {
      const { sentence, items, more = 0 } = block;
      const list = renderList([...items, ...(more === 0 ? [] : [`and ${more} more`])]);
      return sentence === undefined ? list : [html`<p>${`${sentence}.`}</p>`, list];
    }
    case 'reasons':
      return block.reasons.map(
        ({ reason, ids }) => html`<details class="reason">
          <summary><span class="count">${ids.length}</span>${' '}${reason}</summary>
          <ul>${ids.map((id) => html`<li><code>${id}</code></li>`)}</ul>
        </details>`,
      );
    case 'line':
      return html`<p>${block.text}</p>`;
  }
}

function renderList(items: readonly Html[]): Html {
  return html`<ul>${items.map((item) => html`<li>${item}</li>`)}</ul>`;
}

function renderCell(cell: Cell): Html {
  if (typeof cell === 'string') return cell;
  const { text, note, evidence } = cell;
  if (evidence === undefined)
    return html`<strong>${text}</strong>${note === '' ? null : [html`<br />`, renderProse(note)]}`;
  const more = evidence.length - mostEvidence;
  const shown = evidence
    .slice(0, mostEvidence)
    .map((each) => [
      renderProse(each.evidence),
      ' ',
      html`<span class="where">${`request ${each.exchange + 1}`}</span>`,
    ]);
  const rest = more > 0 ? [html`<span class="where">${`and ${more} more`}</span>`] : [];
  return renderList([...shown, ...rest]);
}
