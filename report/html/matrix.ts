import { isFailure, type Report } from '../../conformance/index.ts';
import type { Verdict } from '../../conformance/index.ts';
import { describeCell, nameOperation, readMatrix, type Cell } from '../model/matrix.ts';
import { anchorOf, html, renderProse, type Html } from './element.ts';

/**
 * The table of operations by families. Roles are written out, since on narrow screens the style
 * turns rows into blocks.
 */
export function renderHtmlMatrix(report: Report): readonly Html[] {
  const { families, rows } = readMatrix(report);
  const head = families.map((family) => html`<th scope="col" role="columnheader">${family}</th>`);
  const body = rows.map(
    ({ operation, cells }) =>
      html`<tr role="row">
        <th scope="row" role="rowheader">${nameOperation(operation)}</th>
        ${cells.map((cell, index) => renderCell(cell, families[index] ?? ''))}
      </tr> `,
  );
  return [
    html`<div
      class="scroll"
      role="region"
      aria-label="Obligations by operation and family"
      tabindex="0"
    >
      <table class="matrix" role="table">
        <thead role="rowgroup">
          <tr role="row">
            <th scope="col" role="columnheader">Operation</th>
            ${head}
          </tr>
        </thead>
        <tbody role="rowgroup">
          ${body}
        </tbody>
      </table>
    </div>`,
  ];
}

function renderCell(cell: Cell, family: string): Html {
  if (cell.verdicts.length === 0) return html`<td role="cell" class="empty"></td>`;
  return html`<td role="cell">
    <details class="${toneOf(cell)}">
      <summary>
        <span class="family">${family}</span><span class="count">${describeCount(cell)}</span>
      </summary>
      <ul>
        ${cell.verdicts.toSorted((one, other) => rankOf(one) - rankOf(other)).map(renderVerdict)}
      </ul>
    </details>
  </td>`;
}

function describeCount(cell: Cell): string {
  const words = describeCell(cell).replace('BROKEN', 'broken');
  return words.includes('/') ? `${words} held` : words;
}

function toneOf({ violated, unproven, waived }: Cell): string {
  if (violated > 0) return 'broken';
  return unproven + waived > 0 ? 'partly' : 'held';
}

/** What needs a look comes first. */
function rankOf(verdict: Verdict): number {
  return ['violated', 'waived', 'unproven', 'observed', 'held'].indexOf(verdict.kind);
}

function renderVerdict(verdict: Verdict): Html {
  const { id, sentence } = verdict.obligation;
  const [kind, word, reason] = describeVerdict(verdict);
  const name =
    kind === 'held' || kind === 'unproven'
      ? html`<code>${id}</code>`
      : html`<a href="#${anchorOf(`story-${id}`)}"><code>${id}</code></a>`;
  return html`<li class="${kind}">
    <span class="word">${word}</span>
    ${name}<br />${renderProse(sentence)}${reason === '' ? '' : html` <em>${reason}</em>`}
  </li>`;
}

function describeVerdict(verdict: Verdict): readonly [kind: string, word: string, reason: string] {
  switch (verdict.kind) {
    case 'violated':
      return isFailure(verdict) ? ['broken', 'broken', ''] : ['advised', 'advised', ''];
    case 'waived':
      return [
        'waived',
        'waived',
        `${verdict.waiver.reason} (${verdict.waiver.owner}, until ${verdict.waiver.expires})`,
      ];
    case 'unproven':
      return ['unproven', 'not proved', verdict.reason];
    case 'held':
    case 'observed':
      return ['held', 'held', ''];
  }
}
