import { appendPointer, resolvePointer } from '../json/pointer.ts';
import { isJsonObject, type JsonObject, type JsonValue, listOf, objectOf } from '../json/value.ts';
import { type DocumentNode, pointerOfReference, referenceOf } from '../source/node.ts';
import { keywordOf } from './keywords.ts';

/** The schemas of operations and components, each with those it holds or refers to, once. */
export function listSchemas({ value, object }: DocumentNode): ReadonlyMap<JsonObject, string> {
  const found = new Map<JsonObject, string>();
  const seen = new Set<object>();
  collectParts(value, '#');
  return found;

  /** Looks where OpenAPI has schemas. References may have put one value in several places. */
  function collectParts(part: JsonValue, pointer: string): void {
    if (typeof part !== 'object' || part === null || seen.has(part)) return;
    seen.add(part);
    for (const [name, member = null] of Object.entries<JsonValue | undefined>(part)) {
      const at = appendPointer(pointer, name);
      const isExtension = name.startsWith('x-') && name !== 'x-files';
      if (name === 'schema' || name === 'itemSchema' || pointer === '#/components/schemas')
        collectSchema(member, at, object, found);
      else if (!isExtension && name !== 'example' && name !== 'value') collectParts(member, at);
    }
  }
}

/** A schema, then all that it refers to or holds, however long the chain of them is. */
function collectSchema(
  root: JsonValue,
  start: string,
  document: JsonObject,
  found: Map<JsonObject, string>,
): void {
  const pending: (readonly [pointer: string, value: JsonValue])[] = [[start, root]];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [pointer, value] = next;
    if (!isJsonObject(value) || found.has(value)) continue;
    found.set(value, pointer);
    const held = Object.entries(value).flatMap(([name, member = null]) =>
      listHeld(pointer, name, member),
    );
    pending.push(...held.toReversed());
    const reference = referenceOf(value);
    const target = reference === undefined ? undefined : pointerOfReference(reference);
    if (target !== undefined) pending.push([target, resolvePointer(document, target) ?? null]);
  }
}

/** The schemas in a keyword of a schema. */
function listHeld(
  schema: string,
  name: string,
  value: JsonValue,
): readonly (readonly [pointer: string, value: JsonValue])[] {
  // Not a keyword any more, and still where some documents keep schemas.
  const takes = name === 'definitions' ? 'schema-map' : keywordOf(name)?.takes;
  if (takes === 'schema') return [[appendPointer(schema, name), value]];
  const isMap = takes === 'schema-map' || takes === 'pattern-map';
  const members = takes === 'schemas' ? listOf(value) : isMap ? objectOf(value) : {};
  return Object.entries(members).map(([token, member = null]) => [
    appendPointer(schema, name, token),
    member,
  ]);
}
