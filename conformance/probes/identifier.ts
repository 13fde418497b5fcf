import { isJsonObject, parseJson, type JsonValue } from '../../contract/json/value.ts';
import type { SchemaNode } from '../../contract/schema/schema-node.ts';
import { renderPlain } from '../judge/trace/trace.ts';
import { plainName, singularsOf, type PathPrefix } from '../transport/path-template.ts';

/** Names of members that often tell an item from others, the surest first. */
const usualNames = ['id', 'uuid', 'guid', 'key', 'slug', 'code', 'name', 'number', 'login'];

/**
 * What names an item in a path, by the item itself: the member with the name of the path parameter,
 * without the item's own name (`petId` for `id`), or a usual one, if the parameter takes its value.
 */
export function identifierOf(item: JsonValue, prefix: PathPrefix): string | undefined {
  if (!isJsonObject(item)) return asIdentifier(item, prefix);
  const members = new Map(
    Object.entries(item).map(([name, value]) => [plainName(name), value ?? null]),
  );
  for (const name of wantedNames(prefix)) {
    const value = members.get(name);
    const found = value === undefined ? undefined : asIdentifier(value, prefix);
    if (found !== undefined) return found;
  }
  return undefined;
}

function wantedNames({ name, collection }: PathPrefix): readonly string[] {
  const wanted = plainName(name);
  const singulars = singularsOf(collection);
  const shorter = singulars
    .filter((singular) => wanted.startsWith(singular) && wanted.length > singular.length)
    .map((singular) => wanted.slice(singular.length));
  const ends = usualNames.filter((usual) => wanted.endsWith(usual) && wanted !== usual);
  const longer = singulars.flatMap((singular) => [`${singular}id`, `${singular}${wanted}`]);
  return [...new Set([wanted, ...shorter, ...ends, ...longer, ...usualNames])];
}

/** A plain value as a path carries it, where the parameter takes it. */
function asIdentifier(value: JsonValue, { parameter }: PathPrefix): string | undefined {
  if (value === null || typeof value === 'object' || typeof value === 'boolean') return undefined;
  const text = renderPlain(value);
  if (!isCarriedByPaths(text)) return undefined;
  return parameter === undefined || takesText(parameter.schema, text) ? text : undefined;
}

/** Few servers take an identifier in a path that is long, or has characters that nobody can write. */
export function isCarriedByPaths(text: string): boolean {
  return !/^(\.\.?)?$|^\s|\s$|[%\p{Cc}\p{Cs}]/u.test(text) && text.length <= 200;
}

/** Whether a text of a path fits a schema, as a number too where it looks like one. */
export function takesText(schema: SchemaNode, text: string): boolean {
  if (schema.validate(text).length === 0) return true;
  return /^-?(0|[1-9]\d*)(\.\d+)?$/.test(text) && schema.validate(parseJson(text)).length === 0;
}
