import {
  type JsonObject,
  type JsonValue,
  isJsonArray,
  isJsonObject,
  jsonEquals,
  objectOf,
} from '../../contract/json/value.ts';
import { parsePointer, renderPointer } from '../../contract/json/pointer.ts';

/** A JSON Patch that cannot be applied, for people. */
export class JsonPatchError extends Error {
  /** The value has no such place, or another value there; else the patch itself is not valid. */
  readonly isConflict: boolean;

  constructor(message: string, isConflict: boolean) {
    super(message);
    this.isConflict = isConflict;
  }
}

/**
 * A value after the operations of a JSON Patch (RFC 6902). Throws `JsonPatchError`, and then none of
 * them counts (section 5).
 */
export function patchJson(value: JsonValue, operations: readonly JsonValue[]): JsonValue {
  return operations.reduce<JsonValue>(
    (patched, operation, index) => applyOperation(patched, operation, `/${index}`),
    value,
  );
}

function applyOperation(value: JsonValue, operation: JsonValue, at: string): JsonValue {
  const { op, path, from, value: given } = isJsonObject(operation) ? operation : {};
  const target = readTokens(path, 'path', at);
  const source = op === 'copy' || op === 'move' ? readTokens(from, 'from', at) : [];
  if ((op === 'add' || op === 'replace' || op === 'test') && given === undefined)
    throw malformed('the operation needs a value', at);
  const found = (tokens: readonly string[]): JsonValue => {
    const held = valueAtTokens(value, tokens);
    if (held === undefined) throw conflicting(`there is nothing at ${renderPointer(tokens)}`, at);
    return held;
  };
  switch (typeof op === 'string' ? op : '') {
    case 'add':
      return write(value, target, given ?? null, { inserts: true, at });
    case 'replace':
      found(target);
      return write(value, target, given ?? null, { inserts: false, at });
    case 'remove':
      found(target);
      return remove(value, target);
    case 'copy':
      return write(value, target, found(source), { inserts: true, at });
    case 'move': {
      const moved = found(source);
      return write(remove(value, source), target, moved, { inserts: true, at });
    }
    case 'test':
      if (jsonEquals(found(target), given ?? null)) return value;
      throw conflicting(`the value at ${renderPointer(target)} is another one`, at);
    default:
      throw malformed('op must be one of add, remove, replace, move, copy, test', at);
  }
}

function readTokens(pointer: JsonValue | undefined, name: string, at: string): readonly string[] {
  if (typeof pointer === 'string' && (pointer === '' || pointer.startsWith('/')))
    try {
      return parsePointer(pointer);
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
    }
  throw malformed(`${name} must be a JSON pointer such as /name`, at);
}

function malformed(reason: string, at: string): JsonPatchError {
  return new JsonPatchError(`The JSON Patch is not valid: ${reason} (at ${at})`, false);
}

function conflicting(reason: string, at: string): JsonPatchError {
  return new JsonPatchError(`The JSON Patch does not fit the item: ${reason} (at ${at})`, true);
}

/** Members of the object after that differ from the object before, and those that are gone. */
export function changedMembers(
  before: JsonObject,
  after: JsonObject,
): { readonly members: JsonObject; readonly gone: readonly string[] } {
  const changed = Object.entries(after).filter(
    ([name, value]) =>
      !Object.hasOwn(before, name) || !jsonEquals(before[name] ?? null, value ?? null),
  );
  const gone = Object.keys(before).filter((name) => !Object.hasOwn(after, name));
  return { members: Object.fromEntries(changed), gone };
}

function valueAtTokens(value: JsonValue, tokens: readonly string[]): JsonValue | undefined {
  let held: JsonValue | undefined = value;
  for (const token of tokens)
    held = isJsonArray(held)
      ? held[indexIn(token)]
      : isJsonObject(held) && Object.hasOwn(held, token)
        ? held[token]
        : undefined;
  return held;
}

/** NaN for what is not an index of an array (RFC 6901 section 4). */
function indexIn(token: string): number {
  return /^(?:0|[1-9]\d*)$/.test(token) ? Number(token) : Number.NaN;
}

function write(
  value: JsonValue,
  [name, ...rest]: readonly string[],
  set: JsonValue,
  how: { readonly inserts: boolean; readonly at: string },
): JsonValue {
  if (name === undefined) return set;
  if (isJsonArray(value)) {
    const index = name === '-' && rest.length === 0 ? value.length : indexIn(name);
    const inner = rest.length === 0 ? set : value[index];
    if (inner === undefined || !(index <= value.length))
      throw conflicting(`there is no place ${name} in the array`, how.at);
    const items = [...value];
    const replaced = rest.length === 0 && how.inserts ? 0 : 1;
    items.splice(index, replaced, rest.length === 0 ? set : write(inner, rest, set, how));
    return items;
  }
  if (!isJsonObject(value)) throw conflicting(`there is no place for ${name}`, how.at);
  const inner = rest.length === 0 ? set : Object.hasOwn(value, name) ? value[name] : undefined;
  if (inner === undefined) throw conflicting(`there is no ${name} to add to`, how.at);
  return { ...value, [name]: rest.length === 0 ? set : write(inner, rest, set, how) };
}

/** `tokens`: of something that is there. */
function remove(value: JsonValue, [name, ...rest]: readonly string[]): JsonValue {
  if (name === undefined) return null;
  if (isJsonArray(value)) {
    const index = indexIn(name);
    if (rest.length === 0) return value.filter((_item, at) => at !== index);
    return value.map((item, at) => (at === index ? remove(item, rest) : item));
  }
  if (!isJsonObject(value)) return value;
  if (rest.length > 0) return { ...value, [name]: remove(value[name] ?? null, rest) };
  return Object.fromEntries(Object.entries(value).filter(([one]) => one !== name));
}

/** The object after a merge patch: null removes, objects are merged (RFC 7396 section 2). */
export function mergePatch(target: JsonObject, patch: JsonObject): JsonObject {
  const members = new Map<string, JsonValue | undefined>(Object.entries(target));
  for (const [name, value] of Object.entries(patch))
    if (value === null) members.delete(name);
    else if (isJsonObject(value)) members.set(name, mergePatch(objectOf(members.get(name)), value));
    else members.set(name, value);
  return Object.fromEntries(members);
}
