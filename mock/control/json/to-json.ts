import {
  type JsonObject,
  type JsonValue,
  isJsonObject,
  parseJson,
} from '../../../contract/index.ts';

/** A value of the mock as JSON: members that are undefined are left out. */
export function toJson(value: unknown): JsonValue {
  return parseJson(JSON.stringify(value));
}

/** An object as JSON. */
export function toObject(value: object): JsonObject {
  const json = toJson(value);
  return isJsonObject(json) ? json : {};
}
