import { parsePointer } from '../json/pointer.ts';
import { isJsonObject, type JsonValue } from '../json/value.ts';
import type { Part, SchemaView } from './schema-view.ts';

/**
 * What discriminators (OpenAPI 3.1, Discriminator Object) ask of members, by name: the names by
 * which the schemas among the parts are mapped, else their own. The likeliest first.
 */
export function discriminatorValues(
  parts: readonly Part[],
  view: SchemaView,
): ReadonlyMap<string, readonly JsonValue[]> {
  const values = new Map<string, readonly JsonValue[]>();
  for (const part of parts) {
    const { discriminator } = part.schema;
    if (!isJsonObject(discriminator) || typeof discriminator.propertyName !== 'string') continue;
    const { propertyName, mapping } = discriminator;
    const named = isJsonObject(mapping) ? Object.entries(mapping) : [];
    const mapped = named.flatMap(([name, target]) => {
      const pointer = typeof target === 'string' ? targetOf(target, view) : undefined;
      return parts.some((one) => one !== part && one.pointer === pointer) ? [name] : [];
    });
    const implicit = [...schemaNames(parts, part), ...schemaNames([part])];
    values.set(propertyName, [...mapped, ...implicit, ...named.map(([name]) => name)]);
  }
  return values;
}

/** The members that discriminators name. */
export function discriminatorNames(parts: readonly Part[]): ReadonlySet<JsonValue> {
  const names = parts.flatMap(({ schema: { discriminator } }) =>
    isJsonObject(discriminator) ? [discriminator.propertyName ?? null] : [],
  );
  return new Set(names);
}

function schemaNames(parts: readonly Part[], except?: Part): readonly string[] {
  return parts
    .filter((part) => part !== except && /^#\/components\/schemas\/[^/]+$/.test(part.pointer))
    .map(({ pointer }) => lastToken(pointer));
}

function lastToken(pointer: string): string {
  try {
    return parsePointer(pointer).at(-1) ?? '';
  } catch {
    return '';
  }
}

/** A mapping names a schema, or refers to one. */
function targetOf(target: string, view: SchemaView): string | undefined {
  return target.includes('#') ? view.target(target) : `#/components/schemas/${target}`;
}
