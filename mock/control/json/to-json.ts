import { type JsonValue, parseJson } from '../../../contract/index.ts';

/** A value of the mock as JSON: members that are undefined are left out. */
export function toJson(value: unknown): JsonValue {
  return parseJson(JSON.stringify(value));
}
