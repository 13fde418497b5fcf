import { appendPointer } from '../json/pointer.ts';
import { isJsonObject, type JsonValue } from '../json/value.ts';
import type { SchemaLookup } from '../schema/schema-node.ts';
import { collectParts, type Conjunction, listOf } from './conjunction.ts';

/** One value of each type. */
const strangers: readonly JsonValue[] = [null, 'other', -1, false, [], {}];

/** Members that are changed. */
const mostMembers = 40;

/**
 * The object with a member changed, added or left out of which the schemas speak that must not
 * fit: those under `not`, and the other branches of `oneOf`.
 */
export function* listDeviations(
  value: JsonValue,
  { parts }: Conjunction,
  lookup: SchemaLookup,
): Generator<JsonValue> {
  if (!isJsonObject(value)) return;
  const unwanted = parts.flatMap(({ pointer, schema }) => [
    ...listOf(schema.oneOf).map((_one, index) => appendPointer(pointer, 'oneOf', index)),
    ...(schema.not === undefined ? [] : [appendPointer(pointer, 'not')]),
  ]);
  const names = new Set(
    unwanted.flatMap((pointer) =>
      (collectParts([pointer], lookup) ?? []).flatMap(({ schema: { properties, required } }) => [
        ...(isJsonObject(properties) ? Object.keys(properties) : []),
        ...listOf(required).filter((name) => typeof name === 'string'),
      ]),
    ),
  );
  for (const name of [...names].slice(0, mostMembers)) {
    const { [name]: member, ...rest } = value;
    if (member !== undefined) yield rest;
    for (const stranger of strangers) yield { ...value, [name]: stranger };
  }
}
