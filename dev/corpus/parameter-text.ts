import type { Parameter } from './document.ts';
import { isRecord } from './json.ts';

const encode = encodeURIComponent;

/** A value as text within a parameter. */
export function plainText(value: unknown): string {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);
}

/** A path parameter by its style (`simple`, `label`, `matrix`). */
export function pathText({ node, name }: Parameter, value: unknown): string {
  const explode = node['explode'] === true;
  const parts = listParts(value, explode);
  if (node['style'] === 'label') return `.${parts.join(explode ? '.' : ',')}`;
  if (node['style'] !== 'matrix') return parts.join(',');
  if (!explode) return `;${name}=${parts.join(',')}`;
  return parts.map((part) => (isRecord(value) ? `;${part}` : `;${name}=${part}`)).join('');
}

/** A query parameter by its style as `name=value`, encoded; one with `content` is JSON. */
export function queryParts({ node, name }: Parameter, value: unknown): readonly string[] {
  const pair = (key: string, text: unknown): string => `${encode(key)}=${encode(plainText(text))}`;
  if (node['content'] !== undefined) return [`${encode(name)}=${encode(JSON.stringify(value))}`];
  const { style = 'form', explode = style === 'form' } = node;
  if (isRecord(value)) {
    if (style === 'deepObject')
      return deepEntries(value, name).map(([key, text]) => pair(key, text));
    if (explode === true) return Object.entries(value).map(([key, text]) => pair(key, text));
  } else if (!Array.isArray(value)) return [pair(name, value)];
  else if (value.length === 0) return [];
  else if (explode === true) return value.map((one) => pair(name, one));
  return [`${encode(name)}=${listParts(value, false).join(delimiter(style))}`];
}

/** A header or cookie, always by the style `simple`, without characters that HTTP forbids. */
export function headerText(value: unknown): string {
  const text = Array.isArray(value) ? value.map(plainText).join(',') : plainText(value);
  return text.replaceAll(/[^\x20-\x7e]/g, '?').trim();
}

/** Members as `name[member]`, to any depth; items of arrays repeat their name. */
export function deepEntries(value: unknown, name: string): readonly (readonly [string, unknown])[] {
  if (Array.isArray(value)) return value.flatMap((one) => deepEntries(one, name));
  if (!isRecord(value)) return [[name, value]];
  return Object.entries(value).flatMap(([key, one]) => deepEntries(one, `${name}[${key}]`));
}

function listParts(value: unknown, explode: boolean): readonly string[] {
  if (Array.isArray(value)) return value.map((one) => encode(plainText(one)));
  if (!isRecord(value)) return [encode(plainText(value))];
  return Object.entries(value).flatMap(([key, one]) => {
    const text = encode(plainText(one));
    return explode ? [`${encode(key)}=${text}`] : [encode(key), text];
  });
}

function delimiter(style: unknown): string {
  if (style === 'spaceDelimited') return '%20';
  return style === 'pipeDelimited' ? '%7C' : ',';
}
