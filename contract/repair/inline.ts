import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts';
import { hint, type Repair } from './base/repair.ts';
import { placeOf, type Place } from './base/place.ts';
import type { Form } from './grammar/form.ts';
import type { ReferenceResolver, ReferenceTarget } from './references.ts';

/** Objects that OpenAPI lets a reference stand for; of a requirement `$ref` would be a scheme. */
const referable = new Set([
  'PathItem',
  'Parameter',
  'RequestBody',
  'Response',
  'Header',
  'Example',
  'Link',
  'Callback',
  'SecurityScheme',
  'Schema',
  'SecurityRequirement',
]);

/** References in a row that are followed to what they stand for. */
const mostReferences = 10;

/**
 * What a reference stands for where OpenAPI has none, such as an operation, a list of tags or a
 * description: many documents of several files are written so. Members beside it count. The value
 * itself, where it is no such reference or leads nowhere.
 */
export function inlineReference(
  value: JsonValue,
  form: Form,
  place: Place,
  resolver: ReferenceResolver,
  repair: Repair,
): JsonValue {
  if (!isInlined(form)) return value;
  let inlined = value;
  for (let count = 0; count < mostReferences; count += 1) {
    const reference = isJsonObject(inlined) ? inlined['$ref'] : undefined;
    const target = typeof reference === 'string' ? resolver.resolve(reference) : undefined;
    if (!isJsonObject(inlined) || target === undefined) break;
    // The one item of a list may be a reference.
    if (form.kind === 'list' && !isJsonArray(target.value)) break;
    inlined = copyOf(target, inlined, repair);
  }
  if (inlined !== value) {
    repair.report(
      { parent: place, token: '$ref' },
      hint('a reference does not stand for this', 'Write what it leads to; it is read so.'),
    );
  }
  return inlined;
}

function isInlined(form: Form): boolean {
  if (form.kind === 'object') return !referable.has(form.name);
  return form.kind !== 'data' && form.kind !== 'map';
}

/** Its members know where they come from; each copy is repaired by itself. */
function copyOf({ value, tokens }: ReferenceTarget, at: JsonObject, repair: Repair): JsonValue {
  if (typeof value !== 'object' || value === null) return value;
  const from = placeOf(tokens);
  for (const [token, member] of Object.entries(value))
    repair.keepOrigin(member, { parent: from, token });
  if (isJsonArray(value)) return [...value];
  const { $ref: _reference, ...beside } = at;
  const copy = { ...value, ...beside };
  repair.keepOrigin(copy, from);
  return copy;
}
