import type { Document, LineCounter } from 'yaml';

export interface TextPlace {
  /** From 1. */
  readonly line: number;
  /** From 1. */
  readonly column: number;
}

/** The place of a JSON pointer in a text; of the nearest place above it where it is not there. */
export type TextLocator = (tokens: readonly string[]) => TextPlace;

/** Gives the offset in a text of a member's name or an item, or the nearest above it. */
export type OffsetIndex = (tokens: readonly string[]) => number;

/** A locator that has the text indexed when the first place is asked for. */
export function createOffsetLocator(text: string, createIndex: () => OffsetIndex): TextLocator {
  let index: OffsetIndex | undefined;
  let lines: readonly number[] | undefined;
  return (tokens) => placeAt((lines ??= lineStarts(text)), (index ??= createIndex())(tokens));
}

/** `parse` gives the nodes of the text with their offsets. */
export function createYamlLocator(
  parse: () => { readonly document: Document; readonly lines: LineCounter },
): TextLocator {
  let parsed: ReturnType<typeof parse> | undefined;
  return (tokens) => {
    parsed ??= parse();
    const { line, col } = parsed.lines.linePos(offsetOf(parsed.document, tokens));
    return { line: Math.max(1, line), column: Math.max(1, col) };
  };
}

/** Structural views of the nodes of a YAML text, so that its package is not needed here. */
interface YamlNode {
  readonly range?: readonly [number, number, number] | null;
  readonly items?: readonly unknown[];
}

function offsetOf(document: Document, tokens: readonly string[]): number {
  let node: unknown = document.contents;
  let offset = startOf(node) ?? 0;
  for (const token of tokens) {
    const found = memberOf(node, token);
    if (found === undefined) return offset;
    offset = startOf(found.key) ?? startOf(found.value) ?? offset;
    node = resolve(document, found.value);
  }
  return offset;
}

function resolve(document: Document, node: unknown): unknown {
  if (!isObject(node) || !('source' in node) || !('resolve' in node)) return node;
  return typeof node.resolve === 'function' ? node.resolve(document) : node;
}

interface Found {
  readonly key: unknown;
  readonly value: unknown;
}

function memberOf(node: unknown, token: string): Found | undefined {
  const items = isNode(node) ? (node.items ?? []) : [];
  if (items.some(isPair)) {
    const pair = items.findLast((item) => isPair(item) && keyText(item.key) === token);
    return isPair(pair) ? pair : undefined;
  }
  const value = items[Number(token)];
  return value === undefined ? undefined : { key: undefined, value };
}

function keyText(key: unknown): string {
  return isObject(key) && 'value' in key ? String(key.value) : String(key);
}

function startOf(node: unknown): number | undefined {
  return isNode(node) ? node.range?.[0] : undefined;
}

function isPair(item: unknown): item is Found {
  return isObject(item) && 'key' in item && 'value' in item;
}

function isNode(node: unknown): node is YamlNode {
  return isObject(node) && ('range' in node || 'items' in node);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function lineStarts(text: string): readonly number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

function placeAt(starts: readonly number[], offset: number): TextPlace {
  let [low, high] = [0, starts.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
}
