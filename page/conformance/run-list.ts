import { html, type Html } from '../../view/element.ts';
import { Tally } from '../../view/tally.ts';
import type { Run } from '../session/types.ts';
import { describeTime, verdictWord } from './words.ts';

interface RunListProps {
  readonly runs: readonly Run[];
  /** Id of the run whose report is shown. */
  readonly shown: string | undefined;
  readonly onShow: (run: Run) => void;
  readonly onDrop: (run: Run) => void;
}

/** The runs that have ended, the last first. */
export function RunList({ runs, shown, onShow, onDrop }: RunListProps): Html {
  const ended = runs.filter(({ state }) => state !== 'running');
  if (ended.length === 0)
    return html`<p class="soft">None yet. Reports are kept until the mock stops.</p>`;
  return html`<ol class="runs">
    ${ended.map(
      (
        run,
      ) => html`<li key=${run.id} class="card" aria-current=${run.id === shown ? 'true' : undefined}>
        <p class="line">
          <strong class="verdict ${run.verdict ?? 'none'}">${verdictWord(run)}</strong>
          <span>${run.target}</span>
          <span class="soft"
            >${run.kind === 'file' ? 'opened file, ' : ''}<time datetime=${run.startedAt}>${describeTime(run.startedAt)}</time></span
          >
        </p>
        <p>${run.sentence}</p>
        ${run.counts !== undefined && html`<${Tally} counts=${Object.entries(run.counts).filter(([, count]) => count > 0)} />`}
        <p class="actions">
          ${
            run.state === 'done' &&
            html`<button type="button" onClick=${() => onShow(run)} aria-label=${`Report of ${run.id}`}>Report</button>`
          }
          <button type="button" class="quiet" onClick=${() => onDrop(run)} aria-label=${`Remove ${run.id}`}>Remove</button>
          <span class="soft">${run.id}</span>
        </p>
      </li>`,
    )}
  </ol>`;
}
