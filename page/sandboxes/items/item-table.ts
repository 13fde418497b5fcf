import { useState } from 'preact/hooks';
import { Body } from '../../../view/body.ts';
import { html, type Html } from '../../../view/element.ts';
import type { ExactItem } from './load-items.ts';
import { renderCell } from './members.ts';

export interface ItemTableProps {
  readonly label: string;
  readonly columns: readonly string[];
  readonly items: readonly ExactItem[];
  readonly onChange: (item: ExactItem) => void;
  readonly onRemove: (item: ExactItem) => void;
}

/** Items with a row each, which opens to the whole item. */
export function ItemTable({ label, columns, items, onChange, onRemove }: ItemTableProps): Html {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const toggle = (id: string): void => {
    const rest = new Set(open);
    if (!rest.delete(id)) rest.add(id);
    setOpen(rest);
  };
  return html`<div class="scroll" role="region" aria-label=${label} tabindex="0">
    <table class="items">
      <thead>
        <tr>
          <td></td>
          ${columns.map((name) => html`<th key=${name} scope="col">${name}</th>`)}
          <td></td>
        </tr>
      </thead>
      <tbody>
        ${items.map((one) => [
          html`<tr key=${`row ${one.id}`}>
            <td>
              <button type="button" class="quiet fold" data-item=${one.id} aria-expanded=${open.has(one.id)} aria-label=${`Item ${one.id}`} onClick=${() => toggle(one.id)}>
                ${open.has(one.id) ? '▾' : '▸'}
              </button>
            </td>
            ${columns.map((name) => html`<td key=${name} class=${typeof one.item[name] === 'string' ? '' : 'mono'}>${renderCell(one.item[name])}</td>`)}
            <td class="ends">
              <button type="button" aria-label=${`Change ${one.id}`} onClick=${() => onChange(one)}>Change</button>
              <button type="button" class="danger" aria-label=${`Remove ${one.id}`} onClick=${() => onRemove(one)}>Remove</button>
            </td>
          </tr>`,
          open.has(one.id) &&
            html`<tr key=${`body ${one.id}`}>
              <td colspan=${columns.length + 2}><${Body} text=${JSON.stringify(one.item)} what=${`item ${one.id}`} most=${60} /></td>
            </tr>`,
        ])}
      </tbody>
    </table>
  </div>`;
}
