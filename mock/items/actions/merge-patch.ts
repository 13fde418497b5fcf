import { type JsonObject, type JsonValue, isJsonObject } from '../../../contract/json/value.ts';

/** The object after a merge patch: null removes, objects are merged (RFC 7396 section 2). */
export function mergePatch(target: JsonObject, patch: JsonObject): JsonObject {
  const members = new Map<string, JsonValue | undefined>(Object.entries(target));
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) members.delete(name);
    else if (isJsonObject(value)) members.set(name, mergePatch(objectOr(members.get(name)), value));
    else members.set(name, value);
  }
  return Object.fromEntries(members);
}

function objectOr(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}
