import { documentLimits } from '../../../../limits/index.ts';
import { isJsonArray } from '../../../json/value.ts';
import { removeMember } from '../../base/edit.ts';
import { type Rule, setAside } from '../../base/mending.ts';

/** Leaves out an `allOf`, `anyOf` or `oneOf` of so many schemas that compiling it would not end. */
export const mendBranchCount: Rule = (schema, place, mending) => {
  const { most } = documentLimits.branches;
  for (const name of ['allOf', 'anyOf', 'oneOf']) {
    const branches = schema[name];
    if (!isJsonArray(branches) || branches.length <= most) continue;
    const reason = `it has ${branches.length} schemas, at most ${most} are read`;
    const remedy = 'Name fewer schemas; until then this keyword is left out.';
    mending.report({ parent: place, token: name }, setAside(reason, remedy));
    removeMember(schema, name);
  }
};
