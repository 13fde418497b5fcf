import { html, type Html } from '../../view/element.ts';
import type { RunPlan } from '../session/types.ts';
import { describeDuration } from './words.ts';

/** What a run would send, and how long it would take. */
export function PlanView({ plan }: { plan: RunPlan }): Html {
  const [first = '', ...others] = plan.text.split('\n');
  const [sum, parts = ''] = first.replace(/\.$/, '').split(/: (.*)/s);
  return html`<section class="plan" aria-label="Plan">
    <p><strong>${sum}</strong>, about ${describeDuration(plan.seconds)}.</p>
    <ul>
      ${parts.split(', ').map((part) => html`<li key=${part}>${part}</li>`)}
    </ul>
    ${others.map((line) => html`<p class="soft" key=${line}>${line}</p>`)}
  </section>`;
}
