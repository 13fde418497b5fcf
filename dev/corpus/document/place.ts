import { isRecord, type JsonRecord } from './json.ts';

/** A part of a document and where it is, references followed. */
export interface Place {
  /** JSON pointer from the root, as a fragment: `#/paths/~1pets/get`. */
  readonly pointer: string;
  readonly node: unknown;
}

const longestChain = 20;

/** The part at a pointer; where that is a reference, what it leads to in the end. */
export function placeAt(root: JsonRecord, pointer: string): Place {
  let place = { pointer, node: nodeAt(root, pointer) };
  for (let step = 0; step < longestChain; step++) {
    const target = referenceOf(place.node);
    if (target === undefined) return place;
    place = { pointer: target, node: nodeAt(root, target) };
  }
  return { pointer, node: undefined };
}

/** A part below another. */
export function placeBelow(
  root: JsonRecord,
  { pointer }: Place,
  ...names: readonly string[]
): Place {
  return placeAt(root, [pointer, ...names.map(pointerToken)].join('/'));
}

/** The value that a node stands for: itself, or what its reference leads to. */
export function dereference(root: JsonRecord, node: unknown): unknown {
  const target = referenceOf(node);
  return target === undefined ? node : placeAt(root, target).node;
}

function nodeAt(root: JsonRecord, pointer: string): unknown {
  let node: unknown = root;
  for (const token of pointer.split('/').slice(1)) {
    const holder = dereference(root, node);
    const name = unescapeToken(token);
    if (Array.isArray(holder)) node = holder[Number(name)];
    else if (isRecord(holder)) node = holder[name];
    else return undefined;
  }
  return node;
}

/** The target of a reference within the document. */
function referenceOf(node: unknown): string | undefined {
  if (!isRecord(node)) return undefined;
  const target = node['$ref'];
  return typeof target === 'string' && target.startsWith('#') ? target : undefined;
}

function pointerToken(name: string): string {
  return encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'));
}

function unescapeToken(token: string): string {
  const name = token.replaceAll('~1', '/').replaceAll('~0', '~');
  try {
    return decodeURIComponent(token).replaceAll('~1', '/').replaceAll('~0', '~');
  } catch {
    return name;
  }
}
