import { parsePointer } from '../../contract/json/pointer.ts';
import { keepNumber } from './exact-json.ts';
import { type Field, FieldError, type Texts, parseField, printField } from './field.ts';

/** The composed body, or error messages by field name. */
type Composed = { readonly body: object } | { readonly errors: Readonly<Record<string, string>> };

/** Name of the field, as JSON, for members that no other field shows. */
export const restName = 'rest';

/** Opens an object for editing: the texts of its fields, and of the remaining members. */
export function openDraft(value: object, fields: readonly Field[]): Texts {
  const others: object = JSON.parse(JSON.stringify(value), keepNumber);
  const texts: Record<string, string> = {};
  for (const field of fields) {
    const found = resolve(value, field.name);
    const text = (found === undefined ? undefined : printField(field, found)) ?? '';
    texts[field.name] = text;
    // An empty field omits its member, so it cannot show an empty string.
    if (text.trim() !== '') remove(others, parsePointer(field.name));
  }
  texts[restName] = Object.keys(others).length === 0 ? '' : JSON.stringify(others, undefined, 2);
  return texts;
}

/**
 * The members of an object by the labels of their fields. The first field is listed even if empty.
 */
export function listFacts(
  value: object,
  fields: readonly Field[],
): readonly (readonly [label: string, text: string])[] {
  const texts = openDraft(value, fields);
  const rest: Field = { name: restName, label: 'Other members' };
  const facts: [label: string, text: string][] = [];
  for (const { name, label, options } of [...fields, rest]) {
    const text = texts[name] ?? '';
    if (text === '' && name !== fields[0]?.name) continue;
    facts.push([label, options?.find(([one]) => one === text)?.[1] ?? text]);
  }
  return facts;
}

/** Empty fields omit their members. */
export function composeDraft(texts: Texts, fields: readonly Field[]): Composed {
  const errors: Record<string, string> = {};
  const { [restName]: rest = '' } = texts;
  const parsed = parseObject(rest === '' ? '{}' : rest);
  const body: object = 'body' in parsed ? parsed.body : {};
  if ('message' in parsed) errors[restName] = parsed.message;
  for (const field of fields) {
    if (field.isShown?.(texts) === false) continue;
    try {
      const value = parseField(field, texts[field.name] ?? '');
      if (value !== undefined) place(body, parsePointer(field.name), value);
    } catch (error) {
      if (!(error instanceof FieldError)) throw error;
      errors[field.name] = error.message;
    }
  }
  return Object.keys(errors).length === 0 ? { body } : { errors };
}

/** Parses a JSON object, or returns an error message. */
export function parseObject(
  text: string,
): { readonly body: object } | { readonly message: string } {
  try {
    const body: unknown = JSON.parse(text, keepNumber);
    return isObject(body) ? { body } : { message: 'This is not a JSON object.' };
  } catch (error) {
    return { message: `This is not JSON: ${error instanceof Error ? error.message : ''}` };
  }
}

/** The value at a JSON pointer, with or without `#`; undefined for none. */
export function resolve(value: unknown, pointer: string): unknown {
  return parsePointer(pointer).reduce(
    (inner: unknown, token) =>
      typeof inner === 'object' && inner !== null && Object.hasOwn(inner, token)
        ? Reflect.get(inner, token)
        : undefined,
    value,
  );
}

/** Sets an own property, even `__proto__`. */
function place(body: object, [name = '', ...inner]: readonly string[], value: unknown): void {
  const known: unknown = Object.hasOwn(body, name) ? Reflect.get(body, name) : undefined;
  const next = inner.length === 0 ? value : isObject(known) ? known : {};
  Object.defineProperty(body, name, {
    value: next,
    configurable: true,
    enumerable: true,
    writable: true,
  });
  if (inner.length > 0 && isObject(next)) place(next, inner, value);
}

/** Removes a member, and objects that become empty. */
function remove(body: object, [name = '', ...inner]: readonly string[]): void {
  const known: unknown = Object.hasOwn(body, name) ? Reflect.get(body, name) : undefined;
  if (inner.length > 0 && isObject(known)) remove(known, inner);
  if (inner.length === 0 || (isObject(known) && Object.keys(known).length === 0))
    Reflect.deleteProperty(body, name);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
