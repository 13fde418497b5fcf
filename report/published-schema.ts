import * as codec from '../contract/json/codec.ts';
import type { JsonObject } from '../contract/json/value.ts';

/**
 * The published JSON Schema of a codec. Members may be added within a format version, so today's
 * schema must accept unknown ones.
 *
 * @param definitions codecs for `$defs`, by their names there
 */
export function composeSchema(
  head: JsonObject,
  document: codec.Codec<unknown>,
  definitions: Readonly<Record<string, codec.Codec<unknown>>>,
): JsonObject {
  const names = new Map(Object.entries(definitions).map(([name, one]) => [one, name]));
  const known: Record<string, JsonObject> = {};
  const refer = (one: codec.Codec<unknown>): JsonObject => {
    const name = names.get(one);
    const {
      additionalProperties: _additional,
      unevaluatedProperties: _unevaluated,
      ...schema
    } = one.schema?.(refer) ?? {};
    if (name === undefined) return schema;
    known[name] ??= schema;
    return { $ref: `#/$defs/${name}` };
  };
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    ...head,
    ...refer(document),
    $defs: known,
  };
}

/** A list that is never written empty. */
export function someOf<T>(each: codec.Codec<T>): codec.Codec<readonly T[]> {
  return codec.annotate(codec.list(each), { minItems: 1 });
}
