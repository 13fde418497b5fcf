import { keepItems, removeMember, renameMembers, setMember } from '../json/edit.ts';
import { appendPointer, memberOf, parsePointer, renderFragment } from '../json/pointer.ts';
import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  objectOf,
} from '../json/value.ts';
import type { ClosedReference } from '../source/file.ts';
import {
  followReference,
  type Located,
  maxReferences,
  pointerOfReference,
  referenceOf,
} from '../source/node.ts';
import type { DiagnosticCode, DiagnosticLog } from '../source/diagnostic.ts';

/** A member name or an index. */
export type Token = string | number;

/** The state of repairing a document in place. */
export interface Repair {
  readonly document: JsonObject;
  /** Whether it was version 2.0. */
  readonly isSwagger: boolean;
  /** The media types of version 2.0 that apply to all operations. */
  consumes: readonly string[];
  produces: readonly string[];
  /** Those of the current operation, if it has its own. */
  produced?: readonly string[] | undefined;
  /** The media types that each operation of version 2.0 consumes. */
  readonly consumed: Map<JsonObject, readonly string[]>;
  /** Number of media types of responses so far. */
  responseTypes: number;
  readonly references: References;
  readonly log: DiagnosticLog;
  /** Why references to other files were not followed, by path. */
  readonly closed: ReadonlyMap<string, ClosedReference>;
  /** The patterns read so far: many schemas of a document share one. */
  readonly patterns: Map<string, ReadPattern>;
}

export interface ReadPattern {
  /** The pattern, translated from another dialect if necessary; undefined if it cannot be read. */
  readonly read: string | undefined;
  /** Why it cannot be matched. */
  readonly issue: string | undefined;
}

/** An object or a list in the document, and its pointer. */
export class Cursor<Holder extends object = JsonObject> {
  readonly object: Holder;
  /** `#/paths` */
  readonly pointer: string;
  readonly repair: Repair;

  constructor(object: Holder, pointer: string, repair: Repair) {
    this.object = object;
    this.pointer = pointer;
    this.repair = repair;
  }

  at(...tokens: readonly Token[]): string {
    return appendPointer(this.pointer, ...tokens);
  }

  /** A cursor for the value of a member. */
  inside<Inner extends object>(object: Inner, ...tokens: readonly Token[]): Cursor<Inner> {
    return new Cursor(object, this.at(...tokens), this.repair);
  }

  /** A cursor for a member that is a list. */
  list(this: Cursor, name: string): Cursor<readonly JsonValue[]> | undefined {
    const value = this.object[name];
    return isJsonArray(value) ? this.inside(value, name) : undefined;
  }

  /**
   * Reports an error about a member, or about the object itself without a name. Call it before the change,
   * while the pointer still matches the text.
   */
  report(code: DiagnosticCode, name: Token | undefined, message: string, fix?: string): void {
    const pointer = name === undefined ? this.pointer : this.at(name);
    this.repair.log.report(code, pointer, message, fix);
  }

  /** Like `report`, for something in the format of version 2.0. */
  reportOld(code: DiagnosticCode, name: Token | undefined, message: string, fix?: string): void {
    if (!this.repair.isSwagger) this.report(code, name, message, fix);
  }

  /** Reports an error, and removes the member. */
  leaveOut(code: DiagnosticCode, name: string, message: string, fix?: string): void {
    this.report(code, name, message, fix);
    this.remove(name);
  }

  /** Reports a warning, and changes some members of the object. */
  readAs(
    this: Cursor,
    code: DiagnosticCode,
    name: Token | undefined,
    message: string,
    fix: string,
    members: JsonObject = {},
  ): void {
    this.report(code, name, message, `${fix}; it is read as that.`);
    this.change(members);
  }

  /** Sets members, and removes those that are undefined. Values keep their origins when moved. */
  change(this: Cursor, members: JsonObject): void {
    for (const name of Object.keys(members)) this.keepOrigin(this.object[name], name);
    for (const [name, value] of Object.entries(members))
      if (value === undefined) this.remove(name);
      else this.set(name, value);
  }

  /** Remembers where a value comes from before it is moved. */
  keepOrigin(value: JsonValue | undefined, ...tokens: readonly Token[]): void {
    this.repair.log.keepOrigin(value, this.at(...tokens));
  }

  set(name: Token, value: JsonValue): void {
    setMember(this.object, name, value);
  }

  remove(name: string): void {
    removeMember(this.object, name);
  }

  /** Renames members. `names`: the old names by the new ones. */
  rename(this: Cursor, names: ReadonlyMap<string, string>): void {
    for (const from of names.values()) this.keepOrigin(this.object[from], from);
    renameMembers(this.object, names);
  }

  /** Removes items from a list. */
  filter(this: Cursor<readonly JsonValue[]>, isKept: (item: JsonValue, index: number) => boolean) {
    const list = this.object;
    const kept = list.filter(isKept);
    if (kept.length === list.length) return;
    for (const [index, item] of list.entries()) this.keepOrigin(item, index);
    keepItems(list, kept);
  }
}

/** Resolves references within one document, guessing the meaning of broken ones where possible. */
export class References {
  readonly #document: JsonObject;
  /** Targets that are objects; other values may still be replaced by a repair. */
  readonly #known = new Map<string, Located>();
  #anchors: ReadonlyMap<string, string> | undefined;

  constructor(document: JsonObject) {
    this.#document = document;
  }

  /** Undefined for a reference that is broken, circular or too long a chain. */
  resolve(reference: string): Located | undefined {
    const before = this.#known.get(reference);
    if (before !== undefined) return before;
    const target = this.find(reference);
    if (target === undefined || this.follow(target) === undefined) return undefined;
    if (isJsonObject(target.value)) this.#known.set(reference, target);
    return target;
  }

  /** The target of a reference, even if it is itself a broken reference. */
  find(reference: string): Located | undefined {
    for (const pointer of candidates(reference)) {
      const target = this.#walk(pointer);
      if (target !== undefined) return target;
    }
    const anchored = (this.#anchors ??= listAnchors(this.#document)).get(reference);
    return anchored === undefined ? undefined : this.#walk(anchored);
  }

  /** Follows a chain of references up to a broken one; undefined if it is too long. */
  follow(start: Located): Located | undefined {
    let at = start;
    for (let count = 0; count < maxReferences; count += 1) {
      const reference = referenceOf(at.value);
      const target = reference === undefined ? undefined : this.find(reference);
      if (target === undefined) return at;
      at = target;
    }
    return undefined;
  }

  /** Also follows references within the path, because some documents point through them. */
  #walk(reference: string): Located | undefined {
    const pointer = pointerOfReference(reference);
    if (pointer === undefined) return undefined;
    let at: Located = { pointer: '#', value: this.#document };
    for (let rest = parsePointer(pointer); rest.length > 0;) {
      const [token = ''] = rest;
      const isHere = memberOf(at.value, token) !== undefined;
      const holder = isHere ? at : followReference(this.#document, at);
      const found = findMember(holder.value, rest);
      if (found === undefined) return undefined;
      at = { pointer: appendPointer(holder.pointer, found.name), value: found.value };
      rest = rest.slice(found.length);
    }
    return at;
  }
}

/** Most tokens of a pointer that may be one name. */
const maxJoined = 12;

/**
 * The member named by the first tokens. If there is none, several tokens may be one name with unescaped
 * slashes: a path or a media type. `length`: the number of tokens.
 */
function findMember(holder: JsonValue, tokens: readonly string[]) {
  const [token = ''] = tokens;
  const own = memberOf(holder, token);
  if (own !== undefined) return { name: token, length: 1, value: own };
  for (let length = Math.min(tokens.length, maxJoined); length > 0; length -= 1) {
    const joined = tokens.slice(0, length).join('/');
    for (const name of [joined, `/${joined}`]) {
      const value = memberOf(holder, name);
      if (value !== undefined) return { name, length, value };
    }
  }
  return undefined;
}

/** The possible meanings of a reference, the literal one first. */
function candidates(reference: string): readonly string[] {
  const encoded = encodeURI(reference.toWellFormed().replace(/^#?\/?/, ''));
  const found = reference.startsWith('#') ? [reference, `#/${encoded}`] : [];
  // For a schema also just its name; version 2.0 has its components at the root.
  const moved = encoded
    .replace(/^(?:definitions\/|schemas\/|(?=[^/#]+$))/, 'components/schemas/')
    .replace(/^(?=(?:parameters|responses)\/)/, 'components/');
  return [...found, `#/${moved}`];
}

/** Pointers by the `$id`, `$anchor` and `$dynamicAnchor` of their targets. */
function listAnchors(document: JsonObject): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const collect = (value: JsonValue, tokens: readonly string[]): void => {
    if (typeof value !== 'object' || value === null) return;
    const { $id, $anchor, $dynamicAnchor } = objectOf(value);
    for (const [name, prefix] of [
      [$id, ''],
      [$anchor, '#'],
      [$dynamicAnchor, '#'],
    ] as const)
      if (typeof name === 'string' && !found.has(prefix + name))
        found.set(prefix + name, renderFragment(tokens));
    for (const [name, member = null] of Object.entries(value)) collect(member, [...tokens, name]);
  };
  collect(document, []);
  return found;
}
