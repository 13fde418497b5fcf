import { html, type Html } from '../../view/element.ts';
import { Tally } from '../../view/tally.ts';
import { renderMoment } from '../requests/time.ts';
import { renderLength } from '../session/clock.ts';
import { renderRoute } from '../session/route.ts';
import type { Session } from '../session/session.ts';
import type { Run } from '../session/types.ts';

interface RunListProps {
  readonly runs: readonly Run[];
  readonly session: Session;
  readonly onDrop: (run: Run) => void;
}

/** The runs that have ended, the last first. */
export function RunList({ session, runs, onDrop }: RunListProps): Html {
  const ended = runs.filter(({ state }) => state !== 'running');
  if (ended.length === 0)
    return html`<p class="soft">No runs yet. Reports are kept until the mock stops.</p>`;
  return html`<ol class="runs">
    ${ended.map(
      (run) => html`<li key=${run.id} class="card">
        <p class="line">
          <strong class="verdict ${run.verdict ?? 'none'}">${verdictWord(run)}</strong>
          <span>${run.target}</span>
          <span class="soft"
            >${run.kind === 'file' ? 'opened file, ' : ''}<time datetime=${run.startedAt}>${renderMoment(run.startedAt)}</time></span
          >
        </p>
        <p>${run.sentence}</p>
        ${run.counts !== undefined && html`<${Tally} counts=${Object.entries(run.counts).filter(([, count]) => count > 0)} />`}
        <p class="actions">
          ${
            run.state === 'done' &&
            html`<a href=${renderRoute({ section: 'conformance', part: run.id, sandbox: session.sandbox })} aria-label=${`Report of ${run.id}`}>Report</a>`
          }
          <button type="button" class="quiet" onClick=${() => onDrop(run)} aria-label=${`Remove ${run.id}`}>Remove</button>
          <span class="soft">${run.id}</span>
        </p>
      </li>`,
    )}
  </ol>`;
}

/** How far a run is, with a bar and the time left. */
export function RunProgress({ run, onStop }: { run: Run; onStop: () => void }): Html {
  const { sent = 0, planned = 0, secondsLeft, doing } = run.progress ?? {};
  const left = secondsLeft === undefined ? '' : `, about ${renderLength(1000 * secondsLeft)} left`;
  return html`<section class="card running" aria-labelledby="progress-title">
    <h2 id="progress-title">Testing ${run.target}</h2>
    <progress max=${Math.max(1, planned)} value=${sent} aria-labelledby="progress-title"></progress>
    <p class="line">
      <span>${`${sent} of ${planned} requests${left}`}</span>
      <span class="soft">${doing ?? ''}</span>
      <button type="button" class="danger" onClick=${onStop}>Stop</button>
    </p>
  </section>`;
}

/** The verdict in a word, or the state where there is none. */
function verdictWord({ state, verdict }: Run): string {
  if (state === 'running') return 'running';
  return verdict ?? 'no report';
}

/** A run in a line, to choose it by. */
export function nameRun(run: Run): string {
  return `${run.id}: ${run.target}, ${verdictWord(run)}, ${renderMoment(run.startedAt)}`;
}
