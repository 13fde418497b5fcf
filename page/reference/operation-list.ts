import { html, type Html } from '../../view/element.ts';
import type { Operation } from '../session/types.ts';

/** The operations of the document in short. */
export function OperationList({ operations }: { readonly operations: readonly Operation[] }): Html {
  return html`<div class="scroll" role="region" aria-label="Operations" tabindex="0">
    <table>
      <thead>
        <tr><th scope="col">Operation</th><th scope="col">Request</th><th scope="col">What it does</th><th scope="col">In the document</th></tr>
      </thead>
      <tbody>
        ${operations.map(
          ({
            id,
            method,
            path,
            summary,
            pointer,
            deprecated,
            removedAt,
          }) => html`<tr key=${pointer}>
            <th scope="row">${id}</th>
            <td><code>${method.toUpperCase()} ${path}</code></td>
            <td>
              ${summary}${deprecated && html` <strong class="badge">deprecated</strong>`}
              ${removedAt !== undefined && html` <span class="soft">gone from ${removedAt.slice(0, 10)} on</span>`}
            </td>
            <td><code>${pointer}</code></td>
          </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}
