import { type Html, html } from './element.ts';

/** A number, with the kind of verdict that it counts: `not-tested`. */
type Count = readonly [kind: string, count: number];

export function Tally({ counts }: { readonly counts: readonly Count[] }): Html {
  return html`<ul class="tally">
    ${counts.map(
      ([kind, count]) =>
        html`<li class=${count === 0 ? 'none' : kind}><strong>${count}</strong> ${kind.replace('-', ' ')}</li>`,
    )}
  </ul>`;
}
