import { type Html, html, renderProse } from '../../page/view/element.ts';
import { Facts } from '../../page/view/facts.ts';
import { Table } from '../../page/view/table.ts';
import type { Block, Cell } from '../sections/sections.ts';
import { renderCauses, renderWaived } from './cause.ts';
import { renderMatrix } from './matrix.ts';

/** Pieces of evidence that are shown for a question; more say the same. */
const mostEvidence = 3;

/** What renders the blocks of one page: links lead to the first place of a failed requirement. */
export function createBlockRenderer(): (block: Block) => Html {
  const placed = new Set<string>();
  return (block) => renderBlock(block, placed);
}

function renderBlock(block: Block, placed: Set<string>): Html {
  switch (block.kind) {
    case 'causes':
      return renderCauses(block.causes, block.level, placed);
    case 'matrix':
      return renderMatrix(block.matrix);
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
    case 'names':
      return html`<p>${`${block.sentence}: ${block.names.join(', ')}`}</p>`;
    case 'waived':
      return block.failures.map(renderWaived);
    case 'facts':
      return Facts({
        facts: block.facts.map(([name, value]) => [
          name,
          /^[0-9a-f]{64}$/.test(value) ? html`<code>${value}</code>` : value,
        ]),
      });
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
