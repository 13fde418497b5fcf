import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from './value.ts';

/** Whether a body is an array of JSON Patch operations (RFC 6902 section 3), whatever its media type. */
export function isJsonPatch(body: JsonValue | undefined): body is readonly JsonObject[] {
  return (
    isJsonArray(body) &&
    body.length > 0 &&
    body.every((one) => isJsonObject(one) && typeof one['op'] === 'string' && 'path' in one)
  );
}
