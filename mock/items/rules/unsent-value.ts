import { type JsonObject, type JsonValue, isJsonObject } from '../../../contract/json/value.ts';
import type { SchemaNode } from '../../../contract/schema/schema-node.ts';
import { plainValue } from '../../operation/response/plain-value.ts';
import type { MakeSample } from '../view/item-view.ts';

/**
 * An item with the required members that the client did not send: the plainest values, such as 0. Where
 * that does not fit or says nothing, as an empty text, it is that of a sample, with the time of now.
 */
export function withRequired(
  item: JsonObject,
  schema: SchemaNode,
  sample: MakeSample,
  now: number,
): JsonObject {
  const { required, properties } = schema.shape();
  const sampled = sample(schema);
  const added: Record<string, JsonValue> = {};
  for (const name of required) {
    const member = Object.hasOwn(item, name) ? undefined : properties.get(name);
    if (member === undefined) continue;
    const plain = plainValue(member, now);
    const isPlain = plain !== '' && member.validate(plain).length === 0;
    const value = isPlain ? plain : ((isJsonObject(sampled) ? sampled[name] : undefined) ?? null);
    added[name] =
      typeof value === 'string' && isInstant(value) ? new Date(now).toISOString() : value;
  }
  return { ...item, ...added };
}

function isInstant(text: string): boolean {
  return /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text);
}
