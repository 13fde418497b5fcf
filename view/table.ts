import { type Html, html } from './element.ts';

export interface TableProps {
  /** A class for its style: `list` becomes blocks on narrow screens. */
  readonly kind: string;
  /** Its name, for those who do not see what stands above it. */
  readonly label: string;
  readonly columns: readonly string[];
  readonly rows: readonly TableRow[];
}

export interface TableRow {
  /** Undefined where the head of a row before spans it. */
  readonly head: Html | undefined;
  /** Rows that the head is for. Default 1. */
  readonly span?: number;
  readonly cells: readonly Html[];
}

/** Roles are written out, since on narrow screens the style turns rows into blocks. */
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

function renderRow({ head, span = 1, cells }: TableRow): Html {
  return html`<tr role="row">
    ${head === undefined ? null : html`<th scope="row" role="rowheader" rowspan=${span === 1 ? undefined : span}>${head}</th>`}
    ${cells.map((cell) => html`<td role="cell">${cell}</td>`)}
  </tr>`;
}
