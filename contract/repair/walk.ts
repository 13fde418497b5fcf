import { appendPointer, memberOf, parsePointer, renderFragment } from '../json/pointer.ts';
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  isJsonArray,
  ownMember,
  renderJson,
} from '../json/value.ts';
import {
  followReference,
  mostReferences,
  pointerOfReference,
  referenceOf,
} from '../source/node.ts';
import { setMember } from '../json/edit.ts';
import { unknownKeyword } from '../schema/keywords.ts';
import type { ClosedReference } from '../source/bundle.ts';
import type { DiagnosticCode } from '../source/diagnostic.ts';
import { Cursor, type Repair } from './cursor.ts';
import { describeForm, fitValue, memberForm, objectForm, type Form } from './forms.ts';
import { repairSchemaMembers } from './schema.ts';

/** What a reference leads to. */
interface ReferenceTarget {
  /** The pointer that the reference should have. */
  readonly pointer: string;
  readonly value: JsonValue;
}

/** Resolves references within one document. */
class ReferenceResolver {
  readonly #document: JsonObject;
  /** Targets that are objects; any other value may still be replaced by a repair. */
  readonly #known = new Map<string, ReferenceTarget>();
  /** Pointers of schemas by their `$id`, `$anchor` and `$dynamicAnchor`. */
  #anchors: ReadonlyMap<string, string> | undefined;

  constructor(document: JsonObject) {
    this.#document = document;
  }

  /** Undefined for a reference that leads nowhere, back to itself or to too many others. */
  resolve(reference: string): ReferenceTarget | undefined {
    const before = this.#known.get(reference);
    if (before !== undefined) return before;
    const target = this.find(reference);
    if (target === undefined || this.#isEndless(target.value)) return undefined;
    if (isJsonObject(target.value)) this.#known.set(reference, target);
    return target;
  }

  /** What a reference leads to, be it a reference that leads nowhere. */
  find(reference: string): ReferenceTarget | undefined {
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

  #isEndless(value: JsonValue): boolean {
    let at: JsonValue | undefined = value;
    for (let count = 0; count < mostReferences; count += 1) {
      const reference: string | undefined = at === undefined ? undefined : referenceOf(at);
      const pointer: string | undefined = reference && pointerOfReference(reference);
      if (pointer === undefined) return false;
      at = this.#walk(pointer)?.value;
    }
    return true;
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

/** Members and items that a document has by references where OpenAPI allows none. */
const mostInlined = 100_000;

/** A value to be looked at later, so that long chains of references do not use up the stack. */
interface Task {
  readonly target: ReferenceTarget;
  readonly form: Form;
}

/**
 * Gives every value that can be reached from the document the form that OpenAPI wants, in place.
 * Returns the schemas with their pointers.
 */
export function repairValues(repair: Repair): ReadonlyMap<JsonObject, string> {
  const walk = new Walk(repair);
  walk.run();
  return walk.schemas;
}

class Walk {
  readonly schemas = new Map<JsonObject, string>();
  readonly #repair: Repair;
  readonly #resolver: ReferenceResolver;
  readonly #seen = new Set<object>();
  readonly #tasks: Task[] = [];
  #inlined = 0;
  /** Values around the current one, and those that were put in their places by reference. */
  readonly #holders: unknown[] = [];

  constructor(repair: Repair) {
    this.#repair = repair;
    this.#resolver = new ReferenceResolver(repair.document);
  }

  run(): void {
    this.#holders.push(this.#repair.document);
    this.#visitObject(new Cursor(this.#repair.document, '#', this.#repair), 'Document');
    for (let task = this.#tasks.pop(); task !== undefined; task = this.#tasks.pop())
      this.#visitTarget(task);
  }

  #visitTarget({ target: { pointer, value }, form }: Task): void {
    if (typeof value === 'object' && value !== null && this.#seen.has(value)) return;
    const above = pointer.slice(0, pointer.lastIndexOf('/'));
    const tokens = parsePointer(pointer);
    let holder: JsonValue | undefined = this.#repair.document;
    this.#holders.splice(0, Infinity, holder);
    for (const token of tokens.slice(0, -1)) {
      holder = memberOf(holder, token);
      this.#holders.push(holder);
    }
    const last = tokens.at(-1);
    if (last === undefined || !(isJsonArray(holder) || isJsonObject(holder))) return;
    if (this.#visitMember(new Cursor(holder, above, this.#repair), last, form)) return;
    // Others refer to it, so an empty value stays.
    const empty = form.kind === 'object' ? { ...objectForm(form.name).empty } : {};
    setMember(holder, last, form.kind === 'list' ? [] : empty);
  }

  /** False where nothing can be made of the value: the caller leaves it out. */
  #visitMember(cursor: Cursor<object>, token: string | number, form: Form): boolean {
    const { length } = this.#holders;
    const isKept = this.#visitInside(cursor, token, form);
    this.#holders.length = length;
    return isKept;
  }

  #visitInside(cursor: Cursor<object>, token: string | number, form: Form): boolean {
    const written = memberAt(cursor.object, token);
    const value = this.#inline(cursor, token, written, form);
    if (value !== written) cursor.set(token, value);
    const fitted = fitValue(value, form);
    if (fitted === undefined) {
      const fix = 'Correct it; until then it is ignored.';
      if (value === null)
        cursor.report(holdsOperations(form) ? 'wrong-type' : 'empty-value', token, 'is null', fix);
      else cursor.report('wrong-type', token, `must be ${describeForm(form)}`, fix);
      return false;
    }
    if (fitted !== value) {
      const message = `must be ${describeForm(form)}`;
      cursor.report(codeOf(value, form), token, message, describeReading(fitted));
      cursor.keepOrigin(fitted, token);
      if (isJsonArray(fitted)) for (const item of fitted) cursor.keepOrigin(item, token);
      cursor.set(token, fitted);
    }
    return this.#visitValue(cursor, token, fitted, form);
  }

  #visitValue(
    cursor: Cursor<object>,
    token: string | number,
    value: JsonValue,
    form: Form,
  ): boolean {
    this.#holders.push(value);
    if (form.kind === 'list' && isJsonArray(value) && form.of.kind !== 'data') {
      const list = cursor.inside(value, token);
      const kept = value.map((_item, index) => this.#visitMember(list, index, form.of));
      list.filter((_item, index) => kept[index] === true);
    }
    if (!isJsonObject(value)) return true;
    const inside = cursor.inside(value, token);
    if (form.kind === 'map') this.#visitMap(inside, form.of);
    if (form.kind !== 'object' || this.#seen.has(value)) return true;
    objectForm(form.name).repair?.(inside);
    if (form.name === 'Parameter' && value['$ref'] === undefined && value['name'] === undefined) {
      const fix = 'Add name; until then the parameter is ignored.';
      inside.report('invalid-name', undefined, 'name is missing', fix);
      return false;
    }
    if (value['$ref'] !== undefined && !this.#visitReference(inside, form.name)) return false;
    this.#visitObject(inside, form.name);
    return true;
  }

  #visitMap(cursor: Cursor, form: Form): void {
    const map = cursor.object;
    if (this.#seen.has(map)) return;
    this.#seen.add(map);
    if (form.kind === 'data') return;
    const { $ref: reference } = map;
    if (typeof reference === 'string' && isReplaceable(form)) {
      const { message, fix } = this.#whyNot(reference, 'this is empty');
      cursor.report('unknown-reference', undefined, message, fix);
      cursor.remove('$ref');
    }
    for (const name of Object.keys(map)) {
      if (name.startsWith('x-') && form.kind === 'object' && !isJsonObject(map[name])) continue;
      if (!this.#visitMember(cursor, name, form)) cursor.remove(name);
    }
  }

  /**
   * What a reference leads to where OpenAPI does not allow one, such as an operation, a list of tags
   * or a description: many documents of several files are written so. Members beside it count. The
   * value itself, where it is not such a reference or leads nowhere.
   */
  #inline(cursor: Cursor<object>, token: string | number, value: JsonValue, form: Form): JsonValue {
    if (form.kind === 'data' || (form.kind === 'map' && !isReplaceable(form.of))) return value;
    if (form.kind === 'object' && objectForm(form.name).isReferable === true) return value;
    let inlined = value;
    for (let count = 0; count < mostReferences && isJsonObject(inlined); count += 1) {
      const reference = referenceOf(inlined);
      const target = reference === undefined ? undefined : this.#resolver.resolve(reference);
      // The only item of a list may be a reference.
      if (target === undefined || (form.kind === 'list' && !isJsonArray(target.value))) break;
      // A value cannot hold itself.
      if (this.#holders.includes(target.value) || this.#inlined > mostInlined) break;
      this.#holders.push(target.value);
      inlined = this.#copyOf(target, inlined);
    }
    if (inlined !== value)
      cursor
        .inside({}, token)
        .report(
          'unusual-reference',
          '$ref',
          'OpenAPI does not allow a reference here',
          'Write the value that it leads to; it is read as that.',
        );
    return inlined;
  }

  /** Each copy is repaired by itself; its members know where they come from. */
  #copyOf({ value, pointer }: ReferenceTarget, reference: JsonObject): JsonValue {
    if (typeof value !== 'object' || value === null) return value;
    const from = new Cursor(value, pointer, this.#repair);
    const members = Object.entries(value);
    this.#inlined += members.length;
    for (const [token, member] of members) from.keepOrigin(member, token);
    if (isJsonArray(value)) return [...value];
    const { $ref: _reference, ...beside } = reference;
    const copy = { ...value, ...beside };
    from.keepOrigin(copy);
    return copy;
  }

  /** False where the object is a reference that leads nowhere, and can be left out. */
  #visitReference(cursor: Cursor, name: string): boolean {
    const { $ref: reference } = cursor.object;
    const isFollowed = typeof reference === 'string' && objectForm(name).isReferable === true;
    const target = isFollowed ? this.#resolver.resolve(reference) : undefined;
    if (target !== undefined) {
      if (target.pointer !== reference) cursor.set('$ref', target.pointer);
      this.#tasks.push({ target, form: { kind: 'object', name } });
      return true;
    }
    const { empty } = objectForm(name);
    const isOpen = name === 'Schema' || empty !== undefined;
    const effect = isOpen ? 'any value is accepted' : 'this is ignored';
    const text = typeof reference === 'string' ? reference : '$ref';
    const { message, fix } = this.#whyNot(text, effect);
    cursor.leaveOut('unknown-reference', '$ref', message, fix);
    for (const [key, value = null] of Object.entries(empty ?? {}))
      if (cursor.object[key] === undefined) cursor.set(key, value);
    return isOpen;
  }

  #whyNot(reference: string, effect: string): ClosedReference {
    const closed = this.#repair.closed.get(reference.split('#', 1)[0] ?? '');
    const reason =
      this.#resolver.find(reference) === undefined
        ? 'does not exist'
        : `leads back to itself, or to more than ${mostReferences} others in a row`;
    const message = closed?.message ?? `${reference} ${reason}`;
    return { message, fix: `${closed?.fix ?? 'Correct the reference'}; until then ${effect}.` };
  }

  #visitObject(cursor: Cursor, name: string): void {
    const { object, pointer } = cursor;
    if (this.#seen.has(object)) return;
    this.#seen.add(object);
    const isReference = typeof object['$ref'] === 'string';
    // Members beside a `$ref` count in schemas and path items only.
    if (isReference && name !== 'Schema' && name !== 'PathItem') return;
    if (name === 'Schema') this.schemas.set(object, pointer);
    for (const member of Object.keys(object)) {
      if (member.startsWith('x-') || member === '$ref') continue;
      const form = memberForm(name, member);
      if (form === undefined) reportUnknown(cursor, name, member);
      else if (!this.#visitMember(cursor, member, form)) cursor.remove(member);
    }
    if (name === 'Schema') repairSchemaMembers(cursor);
    addMissing(cursor, objectForm(name).missing ?? {});
  }
}

/** In maps of texts and of data `$ref` is a name like any other. */
function isReplaceable({ kind }: Form): boolean {
  return kind !== 'data' && kind !== 'text';
}

function memberAt(holder: object, token: string | number): JsonValue {
  if (Array.isArray(holder)) return holder[Number(token)] ?? null;
  return (isJsonObject(holder) ? ownMember(holder, String(token)) : undefined) ?? null;
}

/** Operations are lost where such a value is empty. */
function holdsOperations(form: Form): boolean {
  return form.kind === 'object' && ['Operation', 'PathItem', 'Paths'].includes(form.name);
}

/** Of a value that is read as another. An empty array is how some languages write an empty object. */
function codeOf(value: JsonValue, form: Form): DiagnosticCode {
  const isEmpty = isJsonArray(value) && value.length === 0;
  return holdsOperations(form) && !isEmpty ? 'wrong-type' : 'converted-value';
}

/** `Write "1"; it is read as that.` */
function describeReading(fitted: JsonValue): string {
  if (typeof fitted === 'object' && fitted !== null && Object.keys(fitted).length === 0)
    return 'Correct it; it is read as an empty one.';
  const text = renderJson(fitted);
  return text.length > mostShown
    ? 'Correct it; it is read as one that holds what is there.'
    : `Write ${text}; it is read as that.`;
}

/** Characters of a value that a fix shows. */
const mostShown = 60;

function reportUnknown(cursor: Cursor, name: string, member: string): void {
  const article = /^[AEIO]/.test(name) ? 'an' : 'a';
  cursor.report(
    'ignored-member',
    member,
    name === 'Schema' ? unknownKeyword(member) : `is not a member of ${article} ${name} object`,
    'Remove it, or start its name with x-; it is ignored.',
  );
}

function addMissing(cursor: Cursor, missing: JsonObject): void {
  for (const [name, value] of Object.entries(missing)) {
    if (value === undefined || ownMember(cursor.object, name) !== undefined) continue;
    // OpenAPI 3.2 does not require the description of a response; a summary may replace it.
    if (name !== 'description' || cursor.object['summary'] === undefined)
      cursor.report('missing-member', undefined, `${name} is missing`, `Add ${name}.`);
    const assumed = name === 'info' ? { ...objectForm('Info').missing } : structuredClone(value);
    cursor.set(name, assumed);
  }
}
