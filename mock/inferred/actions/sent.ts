import {
  type InferredResource,
  type JsonObject,
  type JsonValue,
  type Operation,
  isJsonArray,
  isJsonObject,
} from '../../../contract/index.ts';
import { valueAt } from '../view/place.ts';

/** The members that a client sends for an item, out of their envelope. */
export function sentMembers(
  resource: InferredResource,
  operation: Operation,
  body: JsonValue | undefined,
): JsonObject {
  const found = valueAt(body, resource.sentPlace(operation));
  const inner = isJsonArray(found) ? found[0] : found;
  if (isJsonObject(inner)) return inner;
  return isJsonObject(body) ? body : {};
}

/** The items that a client sends to be created: several where the body is an array of objects. */
export function sentItems(
  resource: InferredResource,
  operation: Operation,
  body: JsonValue | undefined,
): readonly JsonObject[] {
  const found = valueAt(body, resource.sentPlace(operation));
  const items = isJsonArray(found) ? found.filter(isJsonObject) : [];
  return items.length > 0 ? items : [sentMembers(resource, operation, body)];
}
