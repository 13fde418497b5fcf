import htm from 'htm';
import { type ComponentChildren, type VNode, h } from 'preact';
import { showText } from './visible.ts';

/** What a component renders: an element, a text, a list of them, or nothing. */
export type Html = ComponentChildren;

/**
 * Elements from a template, without a build step (htm). Every text becomes a text node, so foreign
 * text is never markup; invisible characters are escaped.
 */
export const html = htm.bind(createElement);

function createElement(
  type: Parameters<typeof h>[0],
  props: Parameters<typeof h>[1],
  ...children: ComponentChildren[]
): VNode {
  return h(type, props, ...children.map(showChild));
}

function showChild(child: ComponentChildren): ComponentChildren {
  if (typeof child === 'string') return showText(child);
  return Array.isArray(child) ? child.map(showChild) : child;
}

/** A sentence in which names between backticks become code. */
export function renderProse(text: string): Html {
  const parts = text.split('`');
  if (parts.length % 2 === 0) return text;
  return parts.map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part));
}
