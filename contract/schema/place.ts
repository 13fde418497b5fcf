import { appendPointer, resolvePointer } from '../json/pointer.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts';
import { type DocumentNode, pointerOfReference, referenceOf } from '../source/node.ts';
import { keywordOf } from './keywords.ts';

/** What a value in a document is: a schema, several by index or name, or a part that may hold some. */
type ValueKind = 'schema' | 'schemas' | 'part';

/** The schemas of operations and components, each with those it holds or refers to, once. */
export function listSchemas({
  value: root,
  object: document,
}: DocumentNode): ReadonlyMap<JsonObject, string> {
  const found = new Map<JsonObject, string>();
  const seen = new Set<object>();
  const pending: (readonly [pointer: string, value: JsonValue, kind: ValueKind])[] = [
    ['#', root, 'part'],
  ];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [pointer, value, kind] = next;
    // References may have put one value in several places.
    const isSchema = kind === 'schema' && isJsonObject(value);
    if (typeof value !== 'object' || value === null) continue;
    if (isSchema ? found.has(value) : seen.has(value)) continue;
    if (isSchema) found.set(value, pointer);
    else seen.add(value);
    const held: typeof pending = [];
    for (const [name, member = null] of Object.entries<JsonValue | undefined>(value)) {
      const inner =
        kind === 'schemas' ? 'schema' : isSchema ? kindInSchema(name) : kindInPart(pointer, name);
      if (inner !== undefined) held.push([appendPointer(pointer, name), member, inner]);
    }
    const reference = isSchema ? referenceOf(value) : undefined;
    const target = reference === undefined ? undefined : pointerOfReference(reference);
    if (target !== undefined)
      held.unshift([target, resolvePointer(document, target) ?? null, 'schema']);
    pending.push(...held.toReversed());
  }
  return found;
}

function kindInSchema(name: string): ValueKind | undefined {
  // Not a keyword any more, and still where some documents keep schemas.
  const takes = name === 'definitions' ? 'schema-map' : keywordOf(name)?.takes;
  if (takes === 'schema') return 'schema';
  return takes === 'schemas' || takes === 'schema-map' || takes === 'pattern-map'
    ? 'schemas'
    : undefined;
}

/** OpenAPI has schemas under these names; not in extensions and data. */
function kindInPart(pointer: string, name: string): ValueKind | undefined {
  if (name === 'schema' || name === 'itemSchema') return 'schema';
  if (pointer === '#/components' && name === 'schemas') return 'schemas';
  const isExtension = name.startsWith('x-') && name !== 'x-files';
  return isExtension || name === 'example' || name === 'value' ? undefined : 'part';
}
