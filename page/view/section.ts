import { type Html, html } from './element.ts';

export interface SectionProps {
  readonly title: string;
  /** What it is about, in a sentence; empty for none. */
  readonly lead: string;
  /** Null where there is nothing to say: the section is left out. */
  readonly content: Html;
  /** Where it is folded: what is in it, in a few words. It opens at a click, and on paper. */
  readonly folded?: string | undefined;
}

/** A part of a page under a heading. */
export function Section({ title, lead, content, folded }: SectionProps): Html {
  if (content === null) return null;
  const id = sectionId(title);
  const heading = html`<h2 id=${id}>${title}</h2>`;
  const text = lead === '' ? null : html`<p class="lead">${lead}</p>`;
  if (folded === undefined)
    return html`<section aria-labelledby=${id}>${heading}${text}${content}</section>`;
  return html`<section aria-labelledby=${id}>
    <details class="fold">
      <summary>${heading}<span class="note">${folded}</span></summary>
      ${text}${content}
    </details>
  </section>`;
}

function sectionId(title: string): string {
  return anchorOf(
    title
      .toLowerCase()
      .replaceAll(/[^a-z]+/g, '-')
      .replace(/^-/, ''),
  );
}

/** An identifier for an element, from any text: no two texts share one. */
export function anchorOf(text: string): string {
  return text.replace(
    /[^A-Za-z0-9.-]/g,
    (character) => `_${(character.codePointAt(0) ?? 0).toString(16)}_`,
  );
}
