import { type Report, type Verdict, isFailure } from '../../conformance/index.ts';
import { describeCell, nameOperation, readMatrix, type Cell } from '../model/matrix.ts';
import { describeWaiver } from '../model/summary.ts';
import { html, nothing, renderProse, type Html } from './element.ts';
import { failureAnchor } from './failure.ts';
import { renderTable } from './frame.ts';

/** The table of operations by families, in which each cell opens. */
export function renderHtmlMatrix(report: Report): Html {
  const { families, rows } = readMatrix(report);
  return renderTable({
    kind: 'matrix',
    label: 'Requirements by operation and family',
    columns: ['Operation', ...families],
    rows: rows.map(({ operation, cells }) => ({
      head: nameOperation(operation),
      cells: cells.map((cell, index) => renderCell(cell, families[index] ?? '')),
    })),
  });
}

function renderCell(cell: Cell, family: string): Html {
  if (cell.verdicts.length === 0) return nothing;
  return html`<details class="${toneOf(cell)}">
    <summary>
      <span class="family">${family}</span><span class="count">${describeCount(cell)}</span>
    </summary>
    <ul>
      ${cell.verdicts.toSorted((one, other) => rankOf(one) - rankOf(other)).map(renderVerdict)}
    </ul>
  </details>`;
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
  const isAdvice = verdict.kind === 'failed' && !isFailure(verdict);
  const kind = isAdvice ? 'advised' : verdict.kind === 'open' ? 'passed' : verdict.kind;
  const reason = describeReason(verdict);
  const name =
    kind === 'passed' || kind === 'not-tested'
      ? html`<code>${id}</code>`
      : html`<a href="#${failureAnchor(id)}"><code>${id}</code></a>`;
  return html`<li class="${kind}">
    <span class="word">${kind.replace('-', ' ')}</span>
    ${name}<br />${renderProse(sentence)}${reason === '' ? '' : html` <em>${reason}</em>`}
  </li>`;
}

function describeReason(verdict: Verdict): string {
  if (verdict.kind === 'not-tested') return verdict.reason;
  return verdict.kind === 'waived' ? describeWaiver(verdict.waiver) : '';
}
