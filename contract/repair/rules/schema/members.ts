import { isJsonArray, isJsonObject, type JsonValue } from '../../../json/value.ts';
import { removeMember, setMember } from '../../../json/edit.ts';
import { type Rule, warning } from '../../base/repair.ts';

/** `required: true`, as older drafts have it in a property, and `required: name`. */
export const repairRequired: Rule = (schema, place, repair) => {
  const { required } = schema;
  if (required === undefined || isJsonArray(required)) return;
  const at = { parent: place, token: 'required' };
  const remedy = 'List the names of required members in the object that has them.';
  repair.report(at, warning('required must be an array of names', remedy));
  if (typeof required === 'string' && required !== 'true' && required !== 'false')
    setMember(schema, 'required', [required]);
  else removeMember(schema, 'required');
};

/** `examples` of a schema are a list of values, not a map of example objects. */
export const repairSchemaExamples: Rule = (schema, place, repair) => {
  const { examples } = schema;
  if (examples === undefined || isJsonArray(examples)) return;
  const at = { parent: place, token: 'examples' };
  repair.report(at, warning('examples must be an array of values', 'List the values.'));
  const values = isJsonObject(examples) ? Object.values(examples).map(valueOf) : [examples];
  setMember(
    schema,
    'examples',
    values.filter((value) => value !== undefined),
  );
};

function valueOf(example: JsonValue | undefined): JsonValue | undefined {
  return isJsonObject(example) && example['value'] !== undefined ? example['value'] : example;
}

/** Alternatives of which there are none. */
export const repairBranches: Rule = (schema, place, repair) => {
  for (const name of ['allOf', 'anyOf', 'oneOf', 'prefixItems']) {
    const branches = schema[name];
    if (!isJsonArray(branches) || branches.length > 0) continue;
    const at = { parent: place, token: name };
    repair.report(at, warning(`${name} is empty`, 'Remove it, or list its schemas.'));
    removeMember(schema, name);
  }
};
