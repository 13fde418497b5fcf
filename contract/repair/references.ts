import { appendPointer, memberOf, parsePointer, renderFragment } from '../json/pointer.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts';
import { followReference, pointerOfReference, referenceOf } from '../source/node.ts';

/** What a reference leads to. */
export interface ReferenceTarget {
  /** The pointer that the reference should have. */
  readonly pointer: string;
  readonly value: JsonValue;
}

/** Resolves references within one document. */
export class ReferenceResolver {
  readonly #document: JsonObject;
  /** Targets that are objects; any other value may still be replaced by a repair. */
  readonly #known = new Map<string, ReferenceTarget>();
  /** Whether a chain of bare references leads back to itself, by a pointer on it. */
  readonly #isEndless = new Map<string, boolean>();
  /** Pointers of schemas by their `$id`, `$anchor` and `$dynamicAnchor`. */
  #anchors: ReadonlyMap<string, string> | undefined;

  constructor(document: JsonObject) {
    this.#document = document;
  }

  /** Undefined for a reference that leads nowhere or back to itself. */
  resolve(reference: string): ReferenceTarget | undefined {
    const before = this.#known.get(reference);
    if (before !== undefined) return before;
    const target = this.#find(reference);
    if (target === undefined || this.#leadsBack(target)) return undefined;
    if (isJsonObject(target.value)) this.#known.set(reference, target);
    return target;
  }

  #find(reference: string): ReferenceTarget | undefined {
    for (const pointer of candidates(reference)) {
      const target = this.#walk(pointer);
      if (target !== undefined) return target;
    }
    const anchored = (this.#anchors ??= listAnchors(this.#document)).get(reference);
    return anchored === undefined ? undefined : this.#walk(anchored);
  }

  /** Follows references on the way, because some documents point through them. */
  #walk(pointer: string): ReferenceTarget | undefined {
    let at: ReferenceTarget = { pointer: '#', value: this.#document };
    for (const token of tokensOf(pointer) ?? [undefined]) {
      if (token === undefined) return undefined;
      const isHere = memberOf(at.value, token) !== undefined;
      const holder = isHere ? at : followReference(this.#document, at);
      const value = memberOf(holder.value, token);
      if (value === undefined) return undefined;
      at = { pointer: appendPointer(holder.pointer, token), value };
    }
    return at;
  }

  #leadsBack({ pointer, value }: ReferenceTarget): boolean {
    const passed = new Set([pointer]);
    let isEndless: boolean | undefined;
    for (let at: JsonValue = value; isEndless === undefined;) {
      const isBare = isJsonObject(at) && Object.keys(at).length === 1;
      const reference = isBare ? referenceOf(at) : undefined;
      const next = reference === undefined ? undefined : pointerOfReference(reference);
      isEndless = next === undefined ? false : passed.has(next) ? true : this.#isEndless.get(next);
      if (next === undefined) break;
      passed.add(next);
      at = this.#walk(next)?.value ?? null;
    }
    for (const one of passed) this.#isEndless.set(one, isEndless ?? false);
    return isEndless ?? false;
  }
}

/** The pointers that a reference may mean, the exact one first. */
function candidates(reference: string): readonly string[] {
  const exact = pointerOfReference(reference);
  const [, name] =
    /^(?:#?\/?(?:definitions|components\/schemas|schemas)\/)?([^/#]+)$/.exec(reference) ?? [];
  const found = exact === undefined ? [] : [exact];
  if (reference.startsWith('#')) found.push(`#/${encodeURI(reference.replace(/^#\/?/, ''))}`);
  if (name !== undefined)
    found.push(`#/components/schemas/${encodeURI(name)}`, `#/definitions/${encodeURI(name)}`);
  return found;
}

function tokensOf(pointer: string): readonly string[] | undefined {
  try {
    return parsePointer(pointer);
  } catch {
    return undefined;
  }
}

function listAnchors(document: JsonObject): ReadonlyMap<string, string> {
  const anchors = new Map<string, string>();
  const add = (name: JsonValue | undefined, prefix: string, pointer: string): void => {
    if (typeof name === 'string' && !anchors.has(prefix + name))
      anchors.set(prefix + name, pointer);
  };
  const collect = (value: JsonValue, tokens: readonly string[]): void => {
    if (typeof value !== 'object' || value === null) return;
    if (isJsonObject(value)) {
      const pointer = renderFragment(tokens);
      add(value['$id'], '', pointer);
      add(value['$anchor'], '#', pointer);
      add(value['$dynamicAnchor'], '#', pointer);
    }
    for (const [name, member = null] of Object.entries(value)) collect(member, [...tokens, name]);
  };
  collect(document, []);
  return anchors;
}
