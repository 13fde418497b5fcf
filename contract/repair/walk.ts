import { memberOf, parsePointer, resolvePointer } from '../json/pointer.ts';
import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  objectOf,
  ownMember,
  renderJson,
  wordOf,
} from '../json/value.ts';
import { removeMember, setMember } from '../json/edit.ts';
import type { ClosedReference } from '../source/file.ts';
import { type Located, maxReferences, referenceOf } from '../source/node.ts';
import { Cursor, type Repair, type Token } from './cursor.ts';
import {
  describeForm,
  fitValue,
  type Form,
  isList,
  isMap,
  itemForm,
  memberForm,
  objectForm,
} from './forms.ts';
import { repairSchemaMembers } from './rules.ts';
import { isBodyParameter } from './swagger.ts';

/** Most values that are copied in place of references where OpenAPI allows none. */
const maxInlined = 100_000;

/** Gives every reachable value of the document its OpenAPI form, in place. */
export class Walk {
  readonly #repair: Repair;
  readonly #schemas = new Map<JsonObject, string>();
  readonly #seen = new Set<object>();
  /** Targets of references, visited later, so that a long chain does not exhaust the stack. */
  readonly #targets: (readonly [Located, Form])[] = [];
  /** Copies in place of references, around the current value. */
  readonly #inlining: JsonValue[] = [];
  #inlined = 0;

  constructor(repair: Repair) {
    this.#repair = repair;
  }

  /** @returns the schemas with their pointers */
  run(): ReadonlyMap<JsonObject, string> {
    this.#visitObject(new Cursor(this.#repair.document, '#', this.#repair), 'Document');
    for (let next = this.#targets.pop(); next !== undefined; next = this.#targets.pop())
      this.#visitTarget(...next);
    return this.#schemas;
  }

  #visitTarget({ pointer, value }: Located, form: Form): void {
    if (typeof value === 'object' && value !== null && this.#seen.has(value)) return;
    const above = pointer.slice(0, pointer.lastIndexOf('/'));
    const holder = resolvePointer(this.#repair.document, above);
    const token = parsePointer(pointer).at(-1);
    if (token === undefined || typeof holder !== 'object' || holder === null) return;
    if (this.#visitMember(new Cursor(holder, above, this.#repair), token, form)) return;
    // Others refer to it, so an empty value is kept.
    setMember(holder, token, { ...objectForm(form).empty });
  }

  /** False if the value cannot be converted: the caller omits it. */
  #visitMember(cursor: Cursor<object>, token: Token, form: Form): boolean {
    const depth = this.#inlining.length;
    const isKept = this.#fitMember(cursor, token, form);
    this.#inlining.length = depth;
    return isKept;
  }

  #fitMember(cursor: Cursor<object>, token: Token, form: Form): boolean {
    const written = memberOf(Object(cursor.object), String(token)) ?? null;
    const value = this.#inline(cursor, token, written, form);
    if (value !== written) cursor.set(token, value);
    const fitted = fitValue(value, form);
    const message =
      value === null && fitted === undefined ? 'is null' : `must be ${describeForm(form)}`;
    // An empty value would lose operations.
    const isLost = ['Operation', 'PathItem', 'Paths'].includes(form);
    if (fitted === undefined) {
      const code = value === null && !isLost ? 'empty-value' : 'wrong-type';
      cursor.report(code, token, message, 'Correct it; until then it is ignored.');
      return false;
    }
    if (fitted !== value) {
      // An empty array is how some languages write an empty object.
      const isEmpty = isJsonArray(value) && value.length === 0;
      const code = isLost && !isEmpty ? 'wrong-type' : 'converted-value';
      cursor.report(code, token, message, describeReading(fitted, form));
      cursor.keepOrigin(fitted, token);
      if (typeof fitted === 'object' && fitted !== null)
        for (const item of Object.values(fitted)) cursor.keepOrigin(item, token);
      cursor.set(token, fitted);
    }
    if (isJsonArray(fitted) && isList(form))
      this.#visitList(cursor.inside(fitted, token), itemForm(form));
    return !isJsonObject(fitted) || this.#visitReferable(cursor.inside(fitted, token), form);
  }

  #visitList(list: Cursor<readonly JsonValue[]>, item: Form): void {
    if (item === 'data') return;
    const kept = list.object.map((_item, index) => this.#visitMember(list, index, item));
    list.filter((_item, index) => kept[index] === true);
  }

  /** False if the object cannot be used. */
  #visitReferable(cursor: Cursor, form: Form): boolean {
    const { object } = cursor;
    if (form === 'data' || form === '{data}' || this.#seen.has(object)) return true;
    const hasOthers = object['$ref'] !== undefined && saysMore(object, form);
    objectForm(form).repair?.(cursor);
    // Operations visited later may refer to it.
    if (form === 'Parameter' && isBodyParameter(object)) return true;
    if (form === 'Parameter' && object['$ref'] === undefined && object['name'] === undefined) {
      const fix = 'Add name; until then the parameter is ignored.';
      cursor.report('invalid-name', undefined, 'name is missing', fix);
      return false;
    }
    if (object['$ref'] !== undefined && !this.#visitReference(cursor, form, hasOthers))
      return false;
    this.#visitObject(cursor, form);
    return true;
  }

  /**
   * The target of a reference where OpenAPI allows none, such as for an operation, a list of tags or a
   * description: many multi-file documents do this. Sibling members count. Otherwise, or for a broken
   * reference, the value itself. A response of a version 2.0 operation with its own media types is copied,
   * because other operations have different ones.
   */
  #inline(cursor: Cursor<object>, token: Token, value: JsonValue, form: Form): JsonValue {
    const isOwn = form === 'Response' && this.#repair.produced !== undefined;
    const isReferable = objectForm(form).isReferable === true;
    if (form === 'data' || isFree(form) || (isReferable && !isOwn)) return value;
    let inlined = value;
    for (let count = 0; count < maxReferences; count += 1) {
      const reference = referenceOf(inlined);
      const target =
        reference === undefined ? undefined : this.#repair.references.resolve(reference);
      // The only item of a list may be a reference.
      if (target === undefined || (isList(form) && !isJsonArray(target.value))) break;
      const { schema, $ref: next } = objectOf(target.value);
      if (isOwn && (schema ?? next) === undefined) break;
      // A value cannot contain itself.
      const isInside = `${cursor.at(token)}/`.startsWith(`${target.pointer}/`);
      if (isInside || this.#inlining.includes(target.value) || this.#inlined > maxInlined) break;
      this.#inlining.push(target.value);
      inlined = this.#copyOf(target, inlined);
    }
    if (inlined !== value && !isReferable && !(form === 'MediaType' && isNewest(this.#repair))) {
      const fix = 'Write the value that it leads to; it is read as that.';
      const place = cursor.inside({}, token);
      place.report('unusual-reference', '$ref', 'OpenAPI does not allow a reference here', fix);
    }
    return inlined;
  }

  /** Each copy is repaired on its own; its members keep their origin. */
  #copyOf({ value, pointer }: Located, reference: JsonValue): JsonValue {
    if (typeof value !== 'object' || value === null) return value;
    const from = new Cursor(value, pointer, this.#repair);
    const members = Object.entries(value);
    this.#inlined += members.length;
    for (const [token, member] of members) from.keepOrigin(member, token);
    if (isJsonArray(value)) return [...value];
    const { $ref: _reference, ...beside } = objectOf(reference);
    const copy = { ...value, ...beside };
    from.keepOrigin(copy);
    return copy;
  }

  /** False if the object is only a broken reference, which can be omitted. */
  #visitReference(cursor: Cursor, form: Form, hasOthers: boolean): boolean {
    const { $ref: reference } = cursor.object;
    const isText = typeof reference === 'string';
    if (isFree(form) || (isMap(form) && !isText)) return true;
    const { empty, isReferable } = objectForm(form);
    const target = isText && isReferable ? this.#repair.references.resolve(reference) : undefined;
    if (target !== undefined) {
      if (target.pointer !== reference) cursor.set('$ref', target.pointer);
      this.#targets.push([target, form]);
      return true;
    }
    const isOpen = form === 'Schema' || empty !== undefined;
    const effect = isOpen ? 'any value is accepted' : 'this is ignored';
    const { message, fix } = this.#whyNot(
      isText ? reference : '$ref',
      hasOthers ? 'only what is beside it is read' : isMap(form) ? 'this is empty' : effect,
    );
    cursor.leaveOut('unknown-reference', '$ref', message, fix);
    for (const [key, value = null] of Object.entries(empty ?? {}))
      if (cursor.object[key] === undefined) cursor.set(key, value);
    // With a reference, it was not examined.
    if (hasOthers && !isMap(form)) objectForm(form).repair?.(cursor);
    return hasOthers || isOpen || isMap(form);
  }

  #whyNot(reference: string, effect: string): Pick<ClosedReference, 'message' | 'fix'> {
    const closed = this.#repair.closed.get(reference.split('#', 1)[0] ?? '');
    const reason =
      this.#repair.references.find(reference) === undefined
        ? 'does not exist'
        : `leads back to itself, or to more than ${maxReferences} others in a row`;
    const message = closed?.message ?? `${reference} ${reason}`;
    return { message, fix: `${closed?.fix ?? 'Correct the reference'}; until then ${effect}.` };
  }

  #visitObject(cursor: Cursor, form: Form): void {
    const { object, pointer } = cursor;
    this.#seen.add(object);
    const isReference = typeof object['$ref'] === 'string';
    const isSchema = form === 'Schema';
    // Siblings of a `$ref` count only in schemas and path items.
    if (isReference && objectForm(form).isReferable && !isSchema && form !== 'PathItem') return;
    if (isSchema) this.#schemas.set(object, pointer);
    for (const member of Object.keys(object)) limitMembers(cursor, form, member);
    for (const member of Object.keys(object)) {
      if (member === '$ref' && !isMap(form)) continue;
      // In a map it may be an ordinary name.
      const isName = isFree(form) || (isMap(form) && isJsonObject(object[member]));
      if (member.startsWith('x-') && !isName) continue;
      const wanted = memberForm(form, member);
      if (wanted === undefined) reportUnknown(cursor, form, member);
      else if (!this.#visitMember(cursor, member, wanted)) cursor.remove(member);
    }
    if (isSchema) repairSchemaMembers(cursor);
    for (const operation of objectForm(form).move?.(cursor) ?? [])
      this.#visitMember(operation, 'requestBody', 'RequestBody');
    addMissing(cursor, objectForm(form).missing ?? {});
  }
}

/** Most items of a list and members of a map, except of components, which are used one by one. */
export const maxEntries = 1000;

/**
 * Leaves out those beyond the limit. A schema with so many accepts any value, because without some of them
 * it would refuse valid ones.
 */
function limitMembers(cursor: Cursor, form: Form, member: string): void {
  const value = cursor.object[member];
  const wanted = memberForm(form, member) ?? 'data';
  const isLimited = /^\[string\]$|^[[{][A-Z]/.test(wanted) && value !== null;
  if (!isLimited || typeof value !== 'object' || form === 'Components' || isDefinitions(member))
    return;
  const names = Object.keys(value);
  if (names.length <= maxEntries) return;
  const isSchema = form === 'Schema';
  const effect = isSchema ? 'until then any value is accepted' : 'the others are ignored';
  const message = `has ${names.length} members, and at most ${maxEntries} are read`;
  cursor.report('too-large', member, message, `Divide it; ${effect}.`);
  if (isSchema) for (const name of Object.keys(cursor.object)) cursor.remove(name);
  else if (isJsonArray(value)) cursor.set(member, value.slice(0, maxEntries));
  else for (const name of names.slice(maxEntries)) removeMember(value, name);
}

function isDefinitions(member: string): boolean {
  return member === '$defs' || member === 'definitions';
}

/** Whether a document is of version 3.2, which allows references to media types and needs no descriptions. */
function isNewest({ document }: Repair): boolean {
  return wordOf(document['openapi']).startsWith('3.2');
}

/** Whether a reference has siblings beyond a summary or description. */
function saysMore(reference: JsonObject, form: Form): boolean {
  return Object.keys(reference).some(
    (name) =>
      !['$ref', 'summary', 'description'].includes(name) && memberForm(form, name) !== undefined,
  );
}

/** In maps of strings or data, `$ref` is an ordinary name. */
function isFree(form: Form): boolean {
  return form === '{data}' || form === '{string}';
}

/** `Write "1"; it is read as that.` */
function describeReading(fitted: JsonValue, form: Form): string {
  const text = renderJson(fitted);
  return text.length > maxShown
    ? `Write it as ${describeForm(form)}; it is read as that.`
    : `Write ${text}; it is read as that.`;
}

/** Most characters of a value in a fix. */
const maxShown = 60;

function reportUnknown(cursor: Cursor, form: Form, member: string): void {
  const message = `is not a member of ${/^[AEIO]/.test(form) ? 'an' : 'a'} ${form} object`;
  const fix = 'Remove it, or start its name with x-; it is ignored.';
  cursor.report('ignored-member', member, message, fix);
}

function addMissing(cursor: Cursor, missing: JsonObject): void {
  for (const [name, value = null] of Object.entries(missing)) {
    if (ownMember(cursor.object, name) !== undefined) continue;
    // In OpenAPI 3.2 a response needs no description.
    if (name !== 'description' || !isNewest(cursor.repair))
      cursor.report('missing-member', undefined, `${name} is missing`, `Add ${name}.`);
    cursor.set(name, structuredClone(value));
  }
}
