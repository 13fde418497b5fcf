import { type Html, html } from './element.ts';

export interface TallyProps {
  /** Each with the kind of verdict that it counts: `not-tested`. */
  readonly counts: readonly (readonly [kind: string, count: number])[];
}

/** Numbers side by side. */
export function Tally({ counts }: TallyProps): Html {
  return html`<ul class="tally">
    ${counts.map(
      ([kind, count]) =>
        html`<li class=${count === 0 ? 'none' : kind}><strong>${count}</strong> ${kind.replace('-', ' ')}</li>`,
    )}
  </ul>`;
}
