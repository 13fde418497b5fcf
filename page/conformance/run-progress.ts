import { html, type Html } from '../../view/element.ts';
import type { Run } from '../session/types.ts';
import { describeDuration } from './words.ts';

interface RunProgressProps {
  readonly run: Run;
  readonly onStop: () => void;
}

/** How far a run is, with a bar and the time left. */
export function RunProgress({ run, onStop }: RunProgressProps): Html {
  const { sent = 0, planned = 0, secondsLeft, doing } = run.progress ?? {};
  const left = secondsLeft === undefined ? '' : `, about ${describeDuration(secondsLeft)} left`;
  return html`<section class="card running" aria-labelledby="progress-title">
    <h2 id="progress-title">Judging ${run.target}</h2>
    <progress max=${Math.max(1, planned)} value=${sent} aria-labelledby="progress-title"></progress>
    <p class="line">
      <span>${`${sent} of ${planned} requests${left}`}</span>
      <span class="soft">${doing ?? ''}</span>
      <button type="button" class="danger" onClick=${onStop}>Stop</button>
    </p>
  </section>`;
}
