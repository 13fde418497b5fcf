import { documentLimits } from '../../../limits/index.ts';
import { isJsonArray, isJsonObject } from '../../../json/value.ts';
import { removeMember } from '../../../json/edit.ts';
import { type Rule, setAside } from '../../base/repair.ts';

/** Leaves out an `allOf`, `anyOf` or `oneOf` of so many schemas that compiling it would not end. */
export const repairBranchCount: Rule = (schema, place, repair) => {
  const { most } = documentLimits.branches;
  for (const name of ['allOf', 'anyOf', 'oneOf']) {
    const branches = schema[name];
    if (!isJsonArray(branches) || branches.length <= most) continue;
    const reason = `it has ${branches.length} schemas, at most ${most} are read`;
    const remedy = 'Name fewer schemas; until then this keyword is left out.';
    repair.report({ parent: place, token: name }, setAside(reason, remedy));
    removeMember(schema, name);
  }
};

/**
 * Leaves out a `patternProperties` of so many patterns that matching each member would not end, and
 * with it what judges the members that no pattern matches.
 */
export const repairPatternCount: Rule = (schema, place, repair) => {
  const { most } = documentLimits.patterns;
  const { patternProperties: patterns } = schema;
  const count = isJsonObject(patterns) ? Object.keys(patterns).length : 0;
  if (count <= most) return;
  const reason = `it has ${count} patterns, at most ${most} are read`;
  const remedy = 'Write fewer; until then it is left out, and what further members must be.';
  repair.report({ parent: place, token: 'patternProperties' }, setAside(reason, remedy));
  for (const name of ['patternProperties', 'additionalProperties', 'unevaluatedProperties'])
    removeMember(schema, name);
};
