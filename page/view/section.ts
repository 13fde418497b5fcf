import { type Html, html } from './element.ts';

export interface SectionProps {
  readonly title: string;
  /** Introduction in one sentence; empty for none. */
  readonly lead: string;
  /** If null, the section is left out. */
  readonly content: Html;
  /** If given, the section is collapsed, with this summary. Printing expands it. */
  readonly folded?: string | undefined;
}

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

/** An element id made from any text: different texts have different ids. */
export function anchorOf(text: string): string {
  return text.replace(
    /[^A-Za-z0-9.-]/g,
    (character) => `_${(character.codePointAt(0) ?? 0).toString(16)}_`,
  );
}
