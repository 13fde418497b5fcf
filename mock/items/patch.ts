import { without } from '../../contract/json/place.ts';
import { memberOf, parsePointer, renderPointer } from '../../contract/json/pointer.ts';
import {
  type JsonObject,
  type JsonValue,
  isJsonArray,
  isJsonObject,
  jsonEquals,
  objectOf,
} from '../../contract/json/value.ts';

/** A JSON Patch that cannot be applied; the message is for people. */
export class JsonPatchError extends Error {
  /**
   * True if the value has no such place, or another value there; false if the patch itself is
   * invalid.
   */
  readonly isConflict: boolean;

  constructor(message: string, isConflict: boolean) {
    super(message);
    this.isConflict = isConflict;
  }
}

/**
 * Applies a JSON Patch (RFC 6902). Throws `JsonPatchError` and applies nothing if any operation
 * fails (section 5).
 */
export function patchJson(value: JsonValue, operations: readonly JsonValue[]): JsonValue {
  return operations.reduce<JsonValue>(
    (patched, operation, index) => applyOperation(patched, objectOf(operation), `/${index}`),
    value,
  );
}

function applyOperation(value: JsonValue, operation: JsonObject, at: string): JsonValue {
  const { op, path, from, value: given } = operation;
  const target = readTokens(path, 'path', at);
  const held = (tokens: readonly string[]): JsonValue => {
    const found = tokens.reduce<JsonValue | undefined>(memberOf, value);
    if (found === undefined) throw conflicting(`there is nothing at ${renderPointer(tokens)}`, at);
    return found;
  };
  const needed = (): JsonValue => {
    if (given === undefined) throw malformed('the operation needs a value', at);
    return given;
  };
  switch (typeof op === 'string' ? op : '') {
    case 'add':
      return write(value, target, needed(), true, at);
    case 'replace':
      held(target);
      return write(value, target, needed(), false, at);
    case 'remove':
      held(target);
      return write(value, target, undefined, false, at);
    case 'copy':
      return write(value, target, held(readTokens(from, 'from', at)), true, at);
    case 'move': {
      const source = readTokens(from, 'from', at);
      const moved = held(source);
      return write(write(value, source, undefined, false, at), target, moved, true, at);
    }
    case 'test':
      if (jsonEquals(held(target), needed())) return value;
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

/** Sets the value at a place; `set` undefined removes it. */
function write(
  value: JsonValue,
  [name, ...rest]: readonly string[],
  set: JsonValue | undefined,
  inserts: boolean,
  at: string,
): JsonValue {
  if (name === undefined) return set ?? null;
  const isLast = rest.length === 0;
  const inner = memberOf(value, name);
  if (!isLast && inner === undefined) throw conflicting(`there is no ${name} to add to`, at);
  const next = isLast ? set : write(inner ?? null, rest, set, inserts, at);
  if (isJsonObject(value))
    return next === undefined ? without(value, new Set([name])) : { ...value, [name]: next };
  if (!isJsonArray(value)) throw conflicting(`there is no place for ${name}`, at);
  const index = name === '-' && isLast ? value.length : Number(name);
  if (!/^(?:0|[1-9]\d*|-)$/.test(name) || !(index <= value.length))
    throw conflicting(`there is no place ${name} in the array`, at);
  const added = next === undefined ? [] : [next];
  return value.toSpliced(index, isLast && inserts ? 0 : 1, ...added);
}

/** Applies a merge patch: null removes, objects are merged (RFC 7396 section 2). */
export function mergePatch(target: JsonObject, patch: JsonObject): JsonObject {
  const members = new Map<string, JsonValue | undefined>(Object.entries(target));
  for (const [name, value] of Object.entries(patch))
    if (value === null) members.delete(name);
    else if (isJsonObject(value)) members.set(name, mergePatch(objectOf(members.get(name)), value));
    else members.set(name, value);
  return Object.fromEntries(members);
}
