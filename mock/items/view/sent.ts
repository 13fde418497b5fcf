import type { InferredResource } from '../../../contract/resource/resource.ts';
import {
  type JsonObject,
  type JsonValue,
  isJsonArray,
  isJsonObject,
} from '../../../contract/json/value.ts';
import type { Operation } from '../../../contract/openapi/operation.ts';
import type { SchemaNode } from '../../../contract/schema/schema-node.ts';
import { membersOf } from '../../../contract/resource/item-view.ts';
import { valueAt } from './place.ts';

/** The members that a client sends for an item, out of their envelope. */
export function sentMembers(
  resource: InferredResource,
  operation: Operation,
  body: JsonValue | undefined,
): JsonObject {
  const found = valueAt(body, resource.sentPlace(operation));
  const inner = isJsonArray(found) ? found[0] : found;
  if (isJsonObject(inner)) return withoutReadOnly(inner, itemSchema(resource, operation));
  return isJsonObject(body) ? withoutReadOnly(body, itemSchema(resource, operation, [])) : {};
}

/** The items that a client sends to be created: several where the body is an array of objects. */
export function sentItems(
  resource: InferredResource,
  operation: Operation,
  body: JsonValue | undefined,
): readonly JsonObject[] {
  const found = valueAt(body, resource.sentPlace(operation));
  const items = isJsonArray(found) ? found.filter(isJsonObject) : [];
  const schema = itemSchema(resource, operation);
  return items.length > 0
    ? items.map((item) => withoutReadOnly(item, schema))
    : [sentMembers(resource, operation, body)];
}

/**
 * What a client may send for an item and did not: an item shows no such member, unless a default
 * says what it is.
 */
export function unsentMembers(
  resource: InferredResource,
  operation: Operation,
  sent: JsonObject,
): ReadonlySet<string> {
  const schema = itemSchema(resource, operation);
  const members = schema === undefined ? [] : [...membersOf(schema)];
  return new Set(
    members.flatMap(([name, member]) => {
      const { readOnly, default: standard } = member.shape();
      return Object.hasOwn(sent, name) || readOnly || standard !== undefined ? [] : [name];
    }),
  );
}

/** The schema of an item as clients send it. */
function itemSchema(
  resource: InferredResource,
  operation: Operation,
  place = resource.sentPlace(operation),
): SchemaNode | undefined {
  let schema = operation.requestBody?.content.find((media) => media.schema !== undefined)?.schema;
  for (const name of place) schema = schema?.shape().properties.get(name);
  return schema?.shape().items ?? schema;
}

/** Members that are `readOnly` are the server's to set (OpenAPI 3.1, Schema Object). */
function withoutReadOnly(sent: JsonObject, schema: SchemaNode | undefined): JsonObject {
  const shape = schema?.shape();
  const shapes = [shape, ...(shape?.alternatives ?? []).map((one) => one.shape())];
  const isReadOnly = (name: string): boolean =>
    shapes.some((one) => one?.properties.get(name)?.shape().readOnly === true);
  const entries = Object.entries(sent);
  const kept = entries.filter(([name]) => !isReadOnly(name));
  return kept.length === entries.length ? sent : Object.fromEntries(kept);
}
