import { showText } from '../page/view/visible.ts';

/** An element of XML 1.0, escaped. Attributes that are undefined are left out. */
export function renderElement(
  name: string,
  attributes: Readonly<Record<string, string | number | undefined>>,
  content: readonly string[] | string = [],
): string {
  const inside =
    typeof content === 'string'
      ? escapeXml(content)
      : content.map((child) => `\n${indent(child)}`).join('');
  const start = `<${name}${Object.entries(attributes).map(renderAttribute).join('')}`;
  if (inside === '') return `${start}/>`;
  return `${start}>${inside}${typeof content === 'string' ? '' : '\n'}</${name}>`;
}

function renderAttribute([name, value]: readonly [string, string | number | undefined]): string {
  return value === undefined
    ? ''
    : ` ${name}="${escapeXml(String(value)).replaceAll('\n', '&#10;').replaceAll('\t', '&#9;')}"`;
}

/** Moves an element to the right by the lines that begin one: text within it stays as it is. */
function indent(element: string): string {
  return element
    .split('\n')
    .map((line) => (line.trimStart().startsWith('<') ? `  ${line}` : line))
    .join('\n');
}

/** Markup is escaped, and characters that XML 1.0 does not allow (section 2.2) shown as escapes. */
export function escapeXml(text: string): string {
  return showText(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
