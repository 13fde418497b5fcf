import {
  type InferredResource,
  type JsonObject,
  type JsonValue,
  type Operation,
  isJsonArray,
  isJsonObject,
  plainName,
} from '../../../contract/index.ts';
import { valueAt } from '../view/place.ts';

/** The members that a client sends for an item, out of their envelope. */
export function sentMembers(
  resource: InferredResource,
  operation: Operation,
  body: JsonValue | undefined,
): JsonObject {
  const inner = valueAt(body, resource.sentPlace(operation));
  if (isJsonObject(inner)) return inner;
  return isJsonObject(body) ? body : {};
}

/** The items that a client sends to be created: several where the body is an array of objects. */
export function sentItems(
  resource: InferredResource,
  operation: Operation,
  body: JsonValue | undefined,
): readonly JsonObject[] {
  const items = isJsonArray(body) ? body.filter(isJsonObject) : [];
  return items.length > 0 ? items : [sentMembers(resource, operation, body)];
}

/** Values that a client may take for the id of what a body shows: at its top, and one level down. */
export function idsShown({ idNames }: InferredResource, body: JsonValue): readonly string[] {
  const wanted = new Set(idNames);
  const within = (value: JsonValue | undefined): readonly string[] => {
    const object = isJsonArray(value) ? value[0] : value;
    if (!isJsonObject(object)) return [];
    return Object.entries(object).flatMap(([name, member]) =>
      wanted.has(plainName(name)) && (typeof member === 'string' || typeof member === 'number')
        ? [`${member}`]
        : [],
    );
  };
  const deeper = isJsonObject(body) ? Object.values(body).flatMap(within) : [];
  return [...new Set([...within(body), ...deeper])].filter((id) => id !== '');
}
