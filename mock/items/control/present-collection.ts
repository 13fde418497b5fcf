import type { JsonObject, SchemaNode } from '../../../contract/index.ts';
import type { ItemCollection } from './item-collection.ts';

/** A collection in short: what its items are like. */
export function presentCollection(collection: ItemCollection): JsonObject {
  const { path, idMember, schema, count } = collection;
  const { properties, required } = schema?.shape() ?? {};
  const members = [...(properties ?? [])].map(([name, member]) =>
    presentMember(name, member, required?.has(name) === true),
  );
  return {
    path,
    id: idMember,
    count,
    pointer: schema?.pointer,
    members,
    sample: collection.sample(),
  };
}

function presentMember(name: string, member: SchemaNode, required: boolean): JsonObject {
  const { types, format, readOnly, values } = member.shape();
  const [type, ...others] = types.filter((one) => one !== 'null');
  const { description } = typeof member.schema === 'boolean' ? {} : member.schema;
  return {
    name,
    type: others.length === 0 ? type : undefined,
    format,
    required,
    readOnly,
    enum: values === undefined ? undefined : [...values],
    description: typeof description === 'string' ? description : undefined,
  };
}
