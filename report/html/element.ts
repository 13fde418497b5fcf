import { showText } from '../../view/visible.ts';

/** A piece of HTML to put into a page. Made by `html` only, so no foreign text becomes markup. */
export interface Html {
  readonly markup: string;
}

type Part = Html | string | number | readonly Part[];

/** HTML from a template: texts and numbers are escaped, pieces of HTML and lists are not. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return {
    markup: strings.map((string, index) => string + renderPart(parts[index] ?? '')).join(''),
  };
}

export const nothing: Html = { markup: '' };

function renderPart(part: Part): string {
  if (typeof part === 'string') return escapeHtml(part);
  if (typeof part === 'number') return String(part);
  return 'markup' in part ? part.markup : part.map(renderPart).join('');
}

const references: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(text: string): string {
  return showText(text).replace(/[&<>"']/g, (character) => references[character] ?? '');
}

/** A sentence in which names stand between backticks, with the names set as code. */
export function renderProse(text: string): Html {
  const parts = text.split('`');
  if (parts.length % 2 === 0) return html`${text}`;
  return html`${parts.map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))}`;
}

/** An identifier for an element, from any text: no two texts share one. */
export function anchorOf(text: string): string {
  return text.replace(
    /[^A-Za-z0-9.-]/g,
    (character) => `_${(character.codePointAt(0) ?? 0).toString(16)}_`,
  );
}
