import {
  isJsonArray,
  isJsonObject,
  ownMember,
  type JsonObject,
  type JsonValue,
} from '../json/value.ts';
import { unknownKeyword } from '../schema/inspection.ts';
import { keepItems, removeMember, setMember } from '../json/edit.ts';
import type { ClosedReference } from '../source/bundle.ts';
import { hint, setAside, warning, type Repair } from './base/repair.ts';
import { placeOf, type Place } from './base/place.ts';
import { fitValue } from './fit.ts';
import type { Form } from './grammar/form.ts';
import { inlineReference } from './inline.ts';
import { objectForms, type ObjectForm } from './grammar/object-forms.ts';
import { schemaMemberForm } from './grammar/schema-form.ts';
import { createReferenceResolver, type ReferenceTarget } from './references.ts';
import { laterRulesOf, rulesOf } from './rules/rules.ts';

/** Something to be looked at later, so that long chains of references do not nest. */
interface Task {
  readonly target: ReferenceTarget;
  readonly form: Form;
}

/**
 * Makes every value that can be reached from the document what its form says, in place. Gives the
 * schemas, each with a place.
 */
export function repairValues(repair: Repair): ReadonlyMap<JsonObject, Place | undefined> {
  const { document } = repair;
  const resolver = createReferenceResolver(document);
  const seen = new Set<object>();
  const tasks: Task[] = [];
  const schemas = new Map<JsonObject, Place | undefined>();

  visitObject(document, 'Document', undefined);
  for (let task = tasks.pop(); task !== undefined; task = tasks.pop()) visitTarget(task);
  return schemas;

  function visitTarget({ target: { tokens, value }, form }: Task): void {
    const last = tokens.at(-1);
    if (last === undefined || (typeof value === 'object' && value !== null && seen.has(value)))
      return;
    const above = placeOf(tokens.slice(0, -1));
    let holder: JsonValue | undefined = document;
    for (const token of tokens.slice(0, -1)) holder = memberOf(holder, token);
    if (typeof holder !== 'object' || holder === null) return;
    const place = { parent: above, token: last };
    if (visitMember(holder, last, form, place)) return;
    // Others refer to it: it stays, as nothing.
    setMember(holder, last, emptyOf(form));
  }

  /** False where nothing can be made of the value: it is to be left out. */
  function visitMember(holder: object, token: string | number, form: Form, place: Place): boolean {
    const written = memberOf(holder, String(token)) ?? null;
    const value = inlineReference(written, form, place, resolver, repair);
    if (value !== written) setMember(holder, token, value);
    const { fitted, reason } = fitValue(value, form);
    if (fitted === undefined) {
      const what = value === null ? 'is null' : (reason ?? '');
      const finding = value === null ? warning : setAside;
      repair.report(place, finding(what, 'Correct it; until then it is left out.'));
      return false;
    }
    if (reason !== undefined) {
      repair.report(place, warning(reason, 'Write it so; it is taken as one.'));
      repair.keepOrigin(fitted, place);
      if (value !== null && fitted !== null && isJsonArray(fitted))
        for (const item of fitted) repair.keepOrigin(item, place);
      setMember(holder, token, fitted);
    }
    return visitValue(fitted, form, place);
  }

  function visitValue(value: JsonValue, form: Form, place: Place): boolean {
    if (form.kind === 'list' && isJsonArray(value)) visitItems(value, form.of, place);
    if (!isJsonObject(value)) return true;
    if (form.kind === 'map') visitMap(value, form.of, place);
    if (form.kind !== 'object' || seen.has(value)) return true;
    for (const rule of rulesOf(form.name)) rule(value, place, repair);
    if (!isUsable(value, form.name, place)) return false;
    if (value['$ref'] !== undefined && !visitReference(value, form, place)) return false;
    visitObject(value, form.name, place);
    return true;
  }

  function visitItems(list: readonly JsonValue[], form: Form, place: Place): void {
    if (form.kind === 'data') return;
    const isKept = list.map((_item, index) =>
      visitMember(list, index, form, { parent: place, token: index }),
    );
    if (isKept.every(Boolean)) return;
    for (const [index, item] of list.entries())
      if (isKept[index] === true) repair.keepOrigin(item, { parent: place, token: index });
    keepItems(
      list,
      list.filter((_item, index) => isKept[index]),
    );
  }

  function visitMap(map: JsonObject, form: Form, place: Place): void {
    if (seen.has(map)) return;
    seen.add(map);
    if (form.kind === 'data') return;
    if (typeof map['$ref'] === 'string' && form.kind !== 'text') inlineMap(map, map['$ref'], place);
    for (const name of Object.keys(map)) {
      if (name.startsWith('x-') && form.kind === 'object' && !isJsonObject(map[name])) continue;
      if (!visitMember(map, name, form, { parent: place, token: name })) removeMember(map, name);
    }
  }

  /** Puts the members that a whole map refers to in the place of the reference. */
  function inlineMap(map: JsonObject, reference: string, place: Place): void {
    const target = resolver.resolve(reference);
    removeMember(map, '$ref');
    if (!isJsonObject(target?.value) || target.value === map) {
      const { reason, remedy } = whyNot(reference, `${reference} does not exist`);
      repair.report(place, setAside(reason, `${remedy}; nothing stands there now.`));
      return;
    }
    const from = placeOf(target.tokens);
    for (const [name, value] of Object.entries(target.value)) {
      if (value === undefined || Object.hasOwn(map, name)) continue;
      repair.keepOrigin(value, { parent: from, token: name });
      setMember(map, name, value);
    }
  }

  /** False where the object stood for something that is not there, and can be left out. */
  function visitReference(object: JsonObject, form: Form, place: Place): boolean {
    const { $ref: reference } = object;
    const name = form.kind === 'object' ? form.name : '';
    const target = typeof reference === 'string' ? resolver.resolve(reference) : undefined;
    if (target !== undefined) {
      if (target.pointer !== reference) setMember(object, '$ref', target.pointer);
      tasks.push({ target, form });
      return true;
    }
    const what = typeof reference === 'string' ? reference : '$ref';
    const isOpen = name === 'Schema' || objectForms.get(name)?.empty !== undefined;
    const becomes = isOpen ? 'anything is taken there' : 'this part is left out';
    const { reason, remedy } = whyNot(what, `${what} does not exist, or leads back to itself`);
    const finding = setAside(reason, `${remedy}; until then ${becomes}.`);
    repair.report({ parent: place, token: '$ref' }, finding);
    removeMember(object, '$ref');
    for (const [key, one] of Object.entries(objectForms.get(name)?.empty ?? {}))
      if (object[key] === undefined) setMember(object, key, one ?? null);
    return isOpen;
  }

  function whyNot(reference: string, reason: string): ClosedReference {
    return repair.whyClosed(reference) ?? { reason, remedy: 'Correct the reference' };
  }

  /** False for a parameter without a name: nothing can be sent by it. */
  function isUsable(object: JsonObject, name: string, place: Place): boolean {
    const isNameless = name === 'Parameter' && object['$ref'] === undefined;
    if (!isNameless || object['name'] !== undefined) return true;
    repair.report(place, setAside('name is missing', 'Add name; until then it is left out.'));
    return false;
  }

  function visitObject(object: JsonObject, name: string, place: Place | undefined): void {
    if (seen.has(object)) return;
    seen.add(object);
    if (typeof object['$ref'] === 'string' && !hasSiblings(name)) return;
    if (name === 'Schema') schemas.set(object, place);
    if (name === 'Schema') visitMembers(object, place, name, schemaMemberForm);
    for (const rule of laterRulesOf(name)) rule(object, place, repair);
    const form = objectForms.get(name);
    if (form === undefined) return;
    visitMembers(object, place, name, (member) => form.members.get(member) ?? form.others);
    addMissing(object, form, place);
  }

  function visitMembers(
    object: JsonObject,
    place: Place | undefined,
    kind: string,
    formOf: (name: string) => Form | undefined,
  ): void {
    for (const name of Object.keys(object)) {
      if (name.startsWith('x-') || name === '$ref') continue;
      const at = { parent: place, token: name };
      const form = formOf(name);
      if (form === undefined) repair.report(at, unknownMember(kind, name));
      else if (!visitMember(object, name, form, at)) removeMember(object, name);
    }
  }

  function addMissing(object: JsonObject, { missing }: ObjectForm, place: Place | undefined): void {
    for (const [name, value] of Object.entries(missing)) {
      if (ownMember(object, name) !== undefined || value === undefined) continue;
      // Of a response OpenAPI 3.2 requires neither; a summary does for a description.
      const isOptional = name === 'description' && object['summary'] !== undefined;
      if (!isOptional) repair.report(place, warning(`${name} is missing`, `Add ${name}.`));
      const added = structuredClone(value);
      setMember(object, name, added);
      const form = objectForms.get(name === 'info' ? 'Info' : '');
      if (form !== undefined && isJsonObject(added))
        for (const [key, one] of Object.entries(form.missing)) setMember(added, key, one ?? null);
    }
  }
}

/** Members beside a `$ref` count in schemas and path items only. */
function hasSiblings(name: string): boolean {
  return name === 'Schema' || name === 'PathItem';
}

function unknownMember(kind: string, name: string) {
  return hint(
    kind === 'Schema'
      ? unknownKeyword(name)
      : `is no member of ${/^[AEIO]/.test(kind) ? 'an' : 'a'} ${kind} object`,
    'Remove it, or let its name start with x-; it is not read.',
  );
}

function emptyOf(form: Form): JsonValue {
  if (form.kind === 'list') return [];
  return form.kind === 'object' ? { ...objectForms.get(form.name)?.empty } : {};
}

function memberOf(value: JsonValue | object | undefined, token: string): JsonValue | undefined {
  if (Array.isArray(value)) return value[Number(token)];
  return isJsonObject(value) ? ownMember(value, token) : undefined;
}
