import {
  isJsonArray,
  isJsonObject,
  isNumeric,
  type JsonObject,
  type JsonValue,
} from '../../../json/value.ts';
import { removeMember, setMember } from '../../../json/edit.ts';
import { type Repair, type Rule, setAside, warning } from '../../base/repair.ts';
import type { Place } from '../../base/place.ts';
import { typesOf } from '../../base/schema.ts';

/** An `enum` that is no list, or whose values are of another type than the schema. */
export const repairEnum: Rule = (schema, place, repair) => {
  const { enum: given } = schema;
  if (given === undefined) return;
  const at = { parent: place, token: 'enum' };
  const values = isJsonObject(given) ? Object.values(given) : isJsonArray(given) ? given : [given];
  const types = typesOf(schema);
  if (types.join() === 'array' && !values.some(isJsonArray))
    return moveToItems(schema, values, at, repair);
  const fitting = values
    .map((value) => (value === undefined ? undefined : fitType(value, types)))
    .filter((value) => value !== undefined);
  if (fitting.every((value) => value === null)) {
    if (fitting.length > 0 && types.length === 0) return;
    const reason = values.length === 0 ? 'enum is empty' : `enum has no ${types.join(' or ')}`;
    repair.report(at, setAside(reason, 'List the values; until then any is taken.'));
    return removeMember(schema, 'enum');
  }
  if (
    isJsonArray(given) &&
    fitting.length === values.length &&
    fitting.every((value, index) => value === values[index])
  )
    return;
  const reason = isJsonArray(given)
    ? `enum has values that are no ${types.join(' or ')}`
    : 'enum must be an array';
  repair.report(at, warning(reason, 'Write the values in their type; they are read so.'));
  setMember(schema, 'enum', fitting);
};

/** Undefined where it cannot be of any of the types. Null is left to `nullable`. */
function fitType(value: JsonValue, types: readonly string[]): JsonValue | undefined {
  if (types.length === 0 || value === null) return value;
  const kinds = [
    kindOf(value),
    Number.isInteger(value) || typeof value === 'bigint' ? 'integer' : '',
  ];
  if (types.some((type) => kinds.includes(type))) return value;
  if (types.includes('string') && (typeof value === 'boolean' || isNumeric(value)))
    return String(value);
  const isWanted = types.includes('number') || types.includes('integer');
  if (isWanted && typeof value === 'string' && /^-?\d{1,15}(\.\d+)?$/.test(value)) {
    const number = Number(value);
    return types.includes('number') || Number.isInteger(number) ? number : undefined;
  }
  if (types.includes('boolean') && (value === 'true' || value === 'false')) return value === 'true';
  return undefined;
}

function kindOf(value: JsonValue): string {
  if (isJsonArray(value)) return 'array';
  return isNumeric(value) ? 'number' : typeof value;
}

/** The values of a list's items, written beside them. */
function moveToItems(
  schema: JsonObject,
  values: readonly (JsonValue | undefined)[],
  at: Place,
  repair: Repair,
): void {
  const { items } = schema;
  const reason = 'enum has no array, as type says';
  removeMember(schema, 'enum');
  if (!isJsonObject(items) || items['$ref'] !== undefined || items['enum'] !== undefined) {
    const remedy = 'Write enum in items; until then any value is taken.';
    return repair.report(at, setAside(reason, remedy));
  }
  repair.report(at, warning(reason, 'Write enum in items; it is read so.'));
  setMember(
    items,
    'enum',
    values.filter((value) => value !== undefined),
  );
}
