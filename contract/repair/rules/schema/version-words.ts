import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../json/value.ts';
import { removeMember, setMember } from '../../../json/edit.ts';
import { hint, type Repair, type Rule, warning } from '../../base/repair.ts';
import type { Place } from '../../base/place.ts';

/** Words of OpenAPI 3.0 in a schema of 3.1, and the other way round. */
export const repairVersionWords: Rule = (schema, place, repair) => {
  if (repair.dialect === '3.1') {
    repairNullable(schema, place, repair);
    repairExclusive(schema, place, repair, 'minimum', 'exclusiveMinimum');
    repairExclusive(schema, place, repair, 'maximum', 'exclusiveMaximum');
  }
  repairTuple(schema, place, repair);
  repairDynamic(schema, place, repair);
};

function repairNullable(schema: JsonObject, place: Place | undefined, repair: Repair): void {
  const { nullable } = schema;
  if (nullable === undefined) return;
  const at = { parent: place, token: 'nullable' };
  const reason = 'nullable is a word of OpenAPI 3.0';
  repair.report(at, warning(reason, 'Write "type": ["...", "null"]; it is read so.'));
  removeMember(schema, 'nullable');
  if (nullable === true || nullable === 'true') allowNull(schema, place, repair);
}

function allowNull(schema: JsonObject, place: Place | undefined, repair: Repair): void {
  const { type, $ref: reference } = schema;
  const nothing = { type: 'null' };
  if (typeof type === 'string') return setMember(schema, 'type', [type, 'null']);
  if (isJsonArray(type)) return setMember(schema, 'type', [...type, 'null']);
  if (typeof reference === 'string') {
    const target = { $ref: reference };
    repair.keepOrigin(target, place);
    removeMember(schema, '$ref');
    return setMember(schema, schema['anyOf'] === undefined ? 'anyOf' : 'oneOf', [target, nothing]);
  }
  for (const name of ['anyOf', 'oneOf']) {
    const branches = schema[name];
    if (isJsonArray(branches) && !branches.some(takesNull))
      setMember(schema, name, [...branches, nothing]);
  }
}

function takesNull(branch: JsonValue): boolean {
  if (!isJsonObject(branch)) return false;
  const { nullable, type } = branch;
  return nullable === true || type === 'null' || (isJsonArray(type) && type.includes('null'));
}

function repairExclusive(
  schema: JsonObject,
  place: Place | undefined,
  repair: Repair,
  inclusive: string,
  exclusive: string,
): void {
  const flag = schema[exclusive];
  if (typeof flag !== 'boolean') return;
  const reason = `${exclusive} is a number in OpenAPI 3.1`;
  const remedy = `Write the limit in it, in place of ${inclusive}; it is read so.`;
  repair.report({ parent: place, token: exclusive }, warning(reason, remedy));
  const limit = schema[inclusive];
  removeMember(schema, exclusive);
  if (!flag || limit === undefined) return;
  removeMember(schema, inclusive);
  setMember(schema, exclusive, limit);
}

/** Schemas by position, as older drafts write them. */
function repairTuple(schema: JsonObject, place: Place | undefined, repair: Repair): void {
  const { items } = schema;
  if (!isJsonArray(items)) return;
  const at = { parent: place, token: 'items' };
  const remedy = 'Write prefixItems for schemas by position; it is read so.';
  repair.report(at, warning('items is one schema, not several', remedy));
  for (const [index, item] of items.entries())
    repair.keepOrigin(item, { parent: at, token: index });
  removeMember(schema, 'items');
  if (items.length > 0 && schema['prefixItems'] === undefined)
    setMember(schema, 'prefixItems', items);
}

function repairDynamic(schema: JsonObject, place: Place | undefined, repair: Repair): void {
  const { $dynamicRef: reference } = schema;
  if (typeof reference !== 'string' || schema['$ref'] !== undefined) return;
  const remedy = 'Write $ref where the meaning does not depend on who refers.';
  repair.report(
    { parent: place, token: '$dynamicRef' },
    hint('$dynamicRef is read as $ref', remedy),
  );
  removeMember(schema, '$dynamicRef');
  setMember(schema, '$ref', reference);
}
