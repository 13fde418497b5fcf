import type { Report } from '../../conformance/index.ts';
import { waiverWords } from '../model/summary.ts';
import { html, type Html } from './element.ts';

/** Every waiver that was given, and what became of it. */
export function renderWaivers({ waivers }: Report): readonly Html[] {
  if (waivers.length === 0) return [];
  const rows = waivers.map(
    ({ waiver, state }) =>
      html`<tr role="row">
        <th scope="row" role="rowheader"><code>${waiver.requirement}</code></th>
        <td role="cell">${waiverWords[state]}</td>
        <td role="cell">${waiver.reason}</td>
        <td role="cell">${waiver.owner}, until ${waiver.expires}</td>
      </tr> `,
  );
  return [
    html`<div class="scroll" role="region" aria-label="Waivers" tabindex="0">
      <table class="list" role="table">
        <thead role="rowgroup">
          <tr role="row">
            <th scope="col" role="columnheader">Requirement</th>
            <th scope="col" role="columnheader">State</th>
            <th scope="col" role="columnheader">Reason</th>
            <th scope="col" role="columnheader">Owner</th>
          </tr>
        </thead>
        <tbody role="rowgroup">
          ${rows}
        </tbody>
      </table>
    </div>`,
  ];
}
