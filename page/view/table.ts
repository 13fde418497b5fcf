import { type Html, html } from './element.ts';

interface TableProps {
  /** CSS class: `list` becomes blocks on narrow screens. */
  readonly kind: string;
  /** Name for screen readers. */
  readonly label: string;
  readonly columns: readonly string[];
  readonly rows: readonly TableRow[];
}

export interface TableRow {
  readonly head: Html;
  readonly cells: readonly Html[];
}

/**
 * Explicit roles, because on narrow screens CSS turns rows into blocks, which removes implicit
 * roles.
 */
export function Table({ kind, label, columns, rows }: TableProps): Html {
  return html`<div class="scroll" role="region" aria-label=${label} tabindex="0">
    <table class=${kind} role="table">
      <thead role="rowgroup">
        <tr role="row">${columns.map((name) => html`<th scope="col" role="columnheader">${name}</th>`)}</tr>
      </thead>
      <tbody role="rowgroup">${rows.map(renderRow)}</tbody>
    </table>
  </div>`;
}

function renderRow({ head, cells }: TableRow): Html {
  return html`<tr role="row">
    <th scope="row" role="rowheader">${head}</th>
    ${cells.map((cell) => html`<td role="cell">${cell}</td>`)}
  </tr>`;
}
