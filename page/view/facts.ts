import { type Html, html } from './element.ts';

interface FactsProps {
  /** A class for its style. Default `facts`. */
  readonly kind?: string;
  readonly facts: readonly (readonly [name: string, value: Html])[];
}

export function Facts({ kind = 'facts', facts }: FactsProps): Html {
  return html`<dl class=${kind}>
    ${facts.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}
  </dl>`;
}
