import {
  type JsonObject,
  type JsonValue,
  isJsonArray,
  isJsonObject,
  jsonEquals,
  parsePointer,
  resolvePointer,
} from '../../../contract/index.ts';

/** A value after the operations of a JSON Patch (RFC 6902); those that cannot be done are passed over. */
export function patchJson(value: JsonValue, operations: readonly JsonValue[]): JsonValue {
  return operations.reduce<JsonValue>((patched, operation) => {
    if (!isJsonObject(operation)) return patched;
    const { op, path, from, value: given } = operation;
    if (typeof path !== 'string' || (path !== '' && !path.startsWith('/'))) return patched;
    const source = typeof from === 'string' ? read(patched, from) : undefined;
    switch (typeof op === 'string' ? op : '') {
      case 'add':
      case 'replace':
        return given === undefined
          ? patched
          : write(patched, parsePointer(path), given, op === 'add');
      case 'remove':
        return remove(patched, parsePointer(path));
      case 'copy':
        return source === undefined ? patched : write(patched, parsePointer(path), source, true);
      case 'move':
        return source === undefined || typeof from !== 'string'
          ? patched
          : write(remove(patched, parsePointer(from)), parsePointer(path), source, true);
      default:
        return patched;
    }
  }, value);
}

/** True for what is an array of operations of a JSON Patch. */
export function isJsonPatch(body: JsonValue | undefined): body is readonly JsonObject[] {
  return (
    isJsonArray(body) &&
    body.length > 0 &&
    body.every((one) => isJsonObject(one) && typeof one['op'] === 'string' && 'path' in one)
  );
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

function read(value: JsonValue, pointer: string): JsonValue | undefined {
  try {
    return resolvePointer(value, pointer);
  } catch {
    return undefined;
  }
}

function write(
  value: JsonValue,
  [name, ...rest]: readonly string[],
  set: JsonValue,
  inserts: boolean,
): JsonValue {
  if (name === undefined) return set;
  if (isJsonArray(value)) {
    const index = name === '-' ? value.length : Number(name);
    if (!Number.isInteger(index) || index < 0 || index > value.length) return value;
    const items = [...value];
    const inner = rest.length === 0 ? set : write(value[index] ?? {}, rest, set, inserts);
    items.splice(index, rest.length === 0 && inserts ? 0 : 1, inner);
    return items;
  }
  if (!isJsonObject(value)) return value;
  return {
    ...value,
    [name]: rest.length === 0 ? set : write(value[name] ?? {}, rest, set, inserts),
  };
}

function remove(value: JsonValue, [name, ...rest]: readonly string[]): JsonValue {
  if (name === undefined) return value;
  if (isJsonArray(value)) {
    const index = Number(name);
    if (rest.length === 0) return value.filter((_item, at) => at !== index);
    return value.map((item, at) => (at === index ? remove(item, rest) : item));
  }
  if (!isJsonObject(value) || !Object.hasOwn(value, name)) return value;
  if (rest.length > 0) return { ...value, [name]: remove(value[name] ?? null, rest) };
  return Object.fromEntries(Object.entries(value).filter(([one]) => one !== name));
}
