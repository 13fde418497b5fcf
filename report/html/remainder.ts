import type { Report } from '../../conformance/index.ts';
import { listNotTested } from '../model/summary.ts';
import { html, type Html } from './element.ts';

/** What was not reached, by reason. */
export function renderNotTested(report: Report): readonly Html[] {
  return listNotTested(report).map(
    ({ reason, ids }) =>
      html`<details class="reason">
        <summary><span class="count">${ids.length}</span> ${reason}</summary>
        <ul>
          ${ids.map((id) => html`<li><code>${id}</code></li>`)}
        </ul>
      </details> `,
  );
}

/** The items that the run leaves on the target. */
export function renderLeftBehind({ leftBehind, run }: Report): readonly Html[] {
  if (leftBehind.length === 0) return [];
  const resources = [...new Set(leftBehind.map(({ resource }) => resource))];
  return resources.map((resource) => {
    const ids = leftBehind.filter((each) => each.resource === resource).map(({ id }) => id);
    return html`<p>
      ${ids.length === 1 ? '1 item' : `${ids.length} items`} in <code>${resource}</code>, tagged
      <code>${run.tag}</code>: ${ids.join(', ')}
    </p> `;
  });
}
