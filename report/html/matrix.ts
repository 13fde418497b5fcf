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
      aria-label="Requirements by operation and family"
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
  const words = describeCell(cell).replace('FAILED', 'failed');
  return words.includes('/') ? `${words} passed` : words;
}

function toneOf({ failed, notTested, waived }: Cell): string {
  if (failed > 0) return 'failed';
  return notTested + waived > 0 ? 'partly' : 'passed';
}

/** What needs a look comes first. */
function rankOf(verdict: Verdict): number {
  return ['failed', 'waived', 'not-tested', 'open', 'passed'].indexOf(verdict.kind);
}

function renderVerdict(verdict: Verdict): Html {
  const { id, sentence } = verdict.requirement;
  const [kind, word, reason] = describeVerdict(verdict);
  const name =
    kind === 'passed' || kind === 'not-tested'
      ? html`<code>${id}</code>`
      : html`<a href="#${anchorOf(`story-${id}`)}"><code>${id}</code></a>`;
  return html`<li class="${kind}">
    <span class="word">${word}</span>
    ${name}<br />${renderProse(sentence)}${reason === '' ? '' : html` <em>${reason}</em>`}
  </li>`;
}

function describeVerdict(verdict: Verdict): readonly [kind: string, word: string, reason: string] {
  switch (verdict.kind) {
    case 'failed':
      return isFailure(verdict) ? ['failed', 'failed', ''] : ['advised', 'advised', ''];
    case 'waived':
      return [
        'waived',
        'waived',
        `${verdict.waiver.reason} (${verdict.waiver.owner}, until ${verdict.waiver.expires})`,
      ];
    case 'not-tested':
      return ['not-tested', 'not tested', verdict.reason];
    case 'passed':
    case 'open':
      return ['passed', 'passed', ''];
  }
}
