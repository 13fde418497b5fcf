import {
  type JsonValue,
  isJsonArray,
  isJsonObject,
  renderJson,
} from '../../../contract/json/value.ts';
import type { SchemaNode } from '../../../contract/schema/schema-node.ts';

/** A value as XML, by the `xml` of its schema (OpenAPI 3.1, XML Object). */
export function renderXml(value: JsonValue, schema: SchemaNode | undefined): string {
  const name = nameOf(schema) ?? (isJsonArray(value) ? 'items' : 'item');
  const inner = isJsonArray(value)
    ? value.map((item) => renderElement(itemName(schema) ?? 'item', item, itemsOf(schema))).join('')
    : undefined;
  const root =
    inner === undefined ? renderElement(name, value, schema) : `<${name}>${inner}</${name}>`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n${root}`;
}

function renderElement(name: string, value: JsonValue, schema: SchemaNode | undefined): string {
  if (isJsonArray(value)) {
    const isWrapped = xmlOf(schema)?.['wrapped'] === true;
    const part = itemName(schema) ?? name;
    const items = value.map((item) => renderElement(part, item, itemsOf(schema))).join('');
    return isWrapped ? `<${name}>${items}</${name}>` : items;
  }
  if (!isJsonObject(value)) return `<${name}>${escapeXml(textOf(value))}</${name}>`;
  const properties = schema?.shape().properties;
  let attributes = '';
  let content = '';
  for (const [key, member] of Object.entries(value)) {
    const inner = properties?.get(key);
    const tag = nameOf(inner) ?? elementName(key);
    if (xmlOf(inner)?.['attribute'] === true)
      attributes += ` ${tag}="${escapeXml(textOf(member ?? null))}"`;
    else content += renderElement(tag, member ?? null, inner);
  }
  return `<${name}${attributes}>${content}</${name}>`;
}

function xmlOf(node: SchemaNode | undefined): Readonly<Record<string, unknown>> | undefined {
  const xml = isJsonObject(node?.schema) ? node.schema['xml'] : undefined;
  return isJsonObject(xml) ? xml : undefined;
}

/** The name that a schema gives itself, else that of its definition. */
function nameOf(node: SchemaNode | undefined): string | undefined {
  const name = xmlOf(node)?.['name'];
  if (typeof name === 'string' && name !== '') return elementName(name);
  const defined = /^#\/components\/schemas\/([^/]+)$/.exec(node?.pointer ?? '')?.[1];
  return defined === undefined ? undefined : elementName(defined);
}

function itemsOf(node: SchemaNode | undefined): SchemaNode | undefined {
  return node?.shape().items;
}

function itemName(node: SchemaNode | undefined): string | undefined {
  return nameOf(itemsOf(node));
}

/** A name that XML allows (XML 1.0, production 5), ASCII only. */
function elementName(text: string): string {
  const name = text.replace(/[^\w.:-]/g, '_');
  return /^[A-Za-z_]/.test(name) ? name : `_${name}`;
}

function textOf(value: JsonValue): string {
  return typeof value === 'string' ? value : value === null ? '' : renderJson(value);
}

function escapeXml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
