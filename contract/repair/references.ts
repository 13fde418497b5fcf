import { followReference, pointerOfReference, referenceOf } from '../source/follow-reference.ts';
import { appendPointer, parsePointer, renderFragment } from '../json/pointer.ts';
import {
  isJsonArray,
  isJsonObject,
  ownMember,
  type JsonObject,
  type JsonValue,
} from '../json/value.ts';

/** What a reference leads to. */
export interface ReferenceTarget {
  /** The pointer of the target, as the reference should have it. */
  readonly pointer: string;
  readonly tokens: readonly string[];
  readonly value: JsonValue;
}

/** Resolves references to places of one document, each text once. */
export interface ReferenceResolver {
  /** Undefined: it leads nowhere, or back to itself. */
  readonly resolve: (reference: string) => ReferenceTarget | undefined;
}

export function createReferenceResolver(document: JsonObject): ReferenceResolver {
  let anchors: ReadonlyMap<string, string> | undefined;
  const find = (reference: string): ReferenceTarget | undefined => {
    const exact = pointerOfReference(reference);
    const direct = exact === undefined ? undefined : walkStraight(document, exact);
    if (direct !== undefined) return direct;
    const target = candidates(reference)
      .map((pointer) => walkTo(document, pointer))
      .find((found) => found !== undefined);
    if (target !== undefined) return target;
    const anchored = (anchors ??= listAnchors(document)).get(reference);
    return anchored === undefined ? undefined : walkTo(document, anchored);
  };
  /** Objects stay where they are; what is no object may yet become one. */
  const known = new Map<string, ReferenceTarget>();
  const isEndless = createEndlessCheck(document);
  return {
    resolve: (reference) => {
      const before = known.get(reference);
      if (before !== undefined) return before;
      const target = find(reference);
      if (target === undefined || isEndless(target)) return undefined;
      if (isJsonObject(target.value)) known.set(reference, target);
      return target;
    },
  };
}

/** The pointers that a reference may mean, the exact one first. */
function candidates(reference: string): readonly string[] {
  const exact = pointerOfReference(reference);
  const name = /^(?:#?\/?(?:definitions|components\/schemas|schemas)\/)?([^/#]+)$/.exec(
    reference,
  )?.[1];
  return [
    ...(exact === undefined ? [] : [exact]),
    ...(reference.startsWith('#') ? [`#/${encodeURI(reference.replace(/^#\/?/, ''))}`] : []),
    ...(name === undefined
      ? []
      : [`#/components/schemas/${encodeURI(name)}`, `#/definitions/${encodeURI(name)}`]),
  ];
}

function walkStraight(document: JsonObject, pointer: string): ReferenceTarget | undefined {
  const tokens = parsePointer(pointer);
  let value: JsonValue | undefined = document;
  for (const token of tokens) value = value === undefined ? value : memberOf(value, token);
  return value === undefined ? undefined : { pointer, tokens, value };
}

/** Follows references on the way, as some documents point through them. */
function walkTo(document: JsonObject, pointer: string): ReferenceTarget | undefined {
  let tokens: readonly string[];
  try {
    tokens = parsePointer(pointer);
  } catch {
    return undefined;
  }
  let at: { pointer: string; value: JsonValue } = { pointer: '#', value: document };
  for (const token of tokens) {
    const holder = memberOf(at.value, token) === undefined ? followReference(document, at) : at;
    const value = memberOf(holder.value, token);
    if (value === undefined) return undefined;
    at = { pointer: appendPointer(holder.pointer, token), value };
  }
  const found = parsePointer(at.pointer);
  return { pointer: renderFragment(found), tokens: found, value: at.value };
}

function memberOf(value: JsonValue, token: string): JsonValue | undefined {
  if (isJsonArray(value)) return /^\d+$/.test(token) ? value[Number(token)] : undefined;
  return isJsonObject(value) ? ownMember(value, token) : undefined;
}

/**
 * Tells chains of bare references that come back to themselves; each reference is followed once,
 * however many lead to it.
 */
function createEndlessCheck(document: JsonObject): (target: ReferenceTarget) => boolean {
  const known = new Map<string, boolean>();
  return ({ pointer, value }) => {
    const passed = [pointer];
    const seen = new Set<string>(passed);
    let at: JsonValue = value;
    const settle = (isEndless: boolean): boolean => {
      for (const one of passed) known.set(one, isEndless);
      return isEndless;
    };
    for (;;) {
      const reference =
        isJsonObject(at) && Object.keys(at).length === 1 ? referenceOf(at) : undefined;
      const next = reference === undefined ? undefined : pointerOfReference(reference);
      if (next === undefined) return settle(false);
      if (seen.has(next)) return settle(true);
      const before = known.get(next);
      if (before !== undefined) return settle(before);
      seen.add(next);
      passed.push(next);
      at = walkTo(document, next)?.value ?? null;
    }
  };
}

/** The pointers of schemas by their `$id`, `$anchor` and `$dynamicAnchor`. */
function listAnchors(document: JsonObject): ReadonlyMap<string, string> {
  const anchors = new Map<string, string>();
  const add = (name: string, pointer: string): void => {
    if (!anchors.has(name)) anchors.set(name, pointer);
  };
  const collect = (value: JsonValue, pointer: string): void => {
    if (isJsonArray(value))
      for (const [index, item] of value.entries()) collect(item, appendPointer(pointer, index));
    if (!isJsonObject(value)) return;
    const { $id: id, $anchor: anchor, $dynamicAnchor: dynamic } = value;
    if (typeof id === 'string') add(id, pointer);
    for (const name of [anchor, dynamic]) if (typeof name === 'string') add(`#${name}`, pointer);
    for (const [name, member] of Object.entries(value))
      if (typeof member === 'object' && member !== null)
        collect(member, appendPointer(pointer, name));
  };
  collect(document, '#');
  return anchors;
}
