import type { Parameter } from '../openapi/parameter.ts';
import type { SchemaNode } from '../schema/schema-node.ts';

/**
 * The property that names an item: by the item parameter's exact name (`isbn`), by its name without
 * the item's (`petId` for `id`), or `id`, of its type. Without an item path: `id`, else as `petId`.
 */
export function findIdentity(
  item: SchemaNode,
  collection: string,
  parameter: Parameter | undefined,
): string | undefined {
  const { properties } = item.shape();
  const singulars = singularsOf(collection);
  const wanted =
    parameter === undefined
      ? ['id', ...singulars.map((name) => `${name}id`)]
      : namesFor(parameter.name, singulars);
  const fits = (name: string): boolean =>
    parameter === undefined || sharesType(properties.get(name), parameter.schema);
  if (parameter !== undefined && properties.has(parameter.name) && fits(parameter.name))
    return parameter.name;
  const fitting = [...properties.keys()].filter(fits);
  return wanted.flatMap((name) => fitting.filter((property) => plain(property) === name))[0];
}

function namesFor(parameter: string, singulars: readonly string[]): readonly string[] {
  const name = plain(parameter);
  const shorter = singulars
    .filter((singular) => name.startsWith(singular) && name.length > singular.length)
    .map((singular) => name.slice(singular.length));
  const longer = singulars.map((singular) => `${singular}${name}`);
  return [name, ...shorter, ...longer, 'id'];
}

/** Names of an item: `pet` for `/pets`, `category` for `/categories`, `box` for `/boxes`. */
function singularsOf(collection: string): readonly string[] {
  const plural = plain(
    collection.split('/').findLast((segment) => segment !== '' && !segment.startsWith('{')) ?? '',
  );
  const endings = { ies: 'y', es: '', s: '', '': '' };
  return Object.entries(endings)
    .filter(([ending]) => plural.endsWith(ending) && plural.length > ending.length)
    .map(([ending, singular]) => plural.slice(0, plural.length - ending.length) + singular);
}

/** A name without case, hyphens and underscores. */
function plain(name: string): string {
  return name.replaceAll(/[-_.]/g, '').toLowerCase();
}

function sharesType(property: SchemaNode | undefined, schema: SchemaNode): boolean {
  const types = schema.shape().types;
  return property !== undefined && property.shape().types.some((type) => types.includes(type));
}
