import { html, type Html } from '../../view/element.ts';
import type { RunPlan } from '../session/types.ts';
import { describeDuration } from './words.ts';

interface PlanViewProps {
  readonly plan: RunPlan;
  /** Takes so many requests instead. */
  readonly onRequests: (requests: number) => void;
}

/** What a run would send, and how long it would take. */
export function PlanView({ plan, onRequests }: PlanViewProps): Html {
  const { needed = 0 } = plan;
  const [first = '', ...others] = plan.text.split('\n');
  const [sum, parts = ''] = first.replace(/\.$/, '').split(/: (.*)/s);
  return html`<section class="plan" aria-label="Plan">
    <p><strong>${sum}</strong>, about ${describeDuration(plan.seconds)}.</p>
    <ul>
      ${parts.split(', ').map((part) => html`<li key=${part}>${part}</li>`)}
    </ul>
    ${others.map((line) => html`<p class="soft" key=${line}>${line.replace(/ \(--requests \d+\)/, '')}</p>`)}
    ${
      needed > plan.requests &&
      html`<p><button type="button" onClick=${() => onRequests(needed)}>Take ${needed} requests</button></p>`
    }
  </section>`;
}
