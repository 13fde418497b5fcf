import { isNumeric, type JsonObject } from '../../../json/value.ts';
import { keywordOf } from '../../../schema/keywords.ts';
import { valueIssue } from '../../../schema/keyword/value-kind.ts';
import { removeMember, setMember } from '../../../json/edit.ts';
import { type Repair, type Rule, setAside } from '../../base/repair.ts';
import type { Place } from '../../base/place.ts';

const limits = [
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minProperties',
  'maxProperties',
  'minContains',
  'maxContains',
  'multipleOf',
];

const pairs = [
  ['minLength', 'maxLength'],
  ['minItems', 'maxItems'],
  ['minProperties', 'maxProperties'],
  ['minimum', 'maximum'],
] as const;

/** Limits that no number can be, and lower ones above their upper ones. */
export const repairLimits: Rule = (schema, place, repair) => {
  for (const name of limits) repairLimit(schema, name, place, repair);
  for (const [least, most] of pairs) {
    const [low, high] = [schema[least], schema[most]];
    if (!isNumeric(low) || !isNumeric(high) || low <= high) continue;
    const finding = setAside(
      `${most} is less than ${least}`,
      'Correct one; until then both are left out.',
    );
    repair.report({ parent: place, token: most }, finding);
    removeMember(schema, least);
    removeMember(schema, most);
  }
};

function repairLimit(
  schema: JsonObject,
  name: string,
  place: Place | undefined,
  repair: Repair,
): void {
  const value = schema[name];
  const takes = keywordOf(name)?.takes;
  if (value === undefined || takes === undefined) return;
  // No text or array is that long: a limit beyond all safe integers is as good as the largest one.
  if (takes === 'count' && typeof value === 'bigint' && value > 0n)
    return setMember(schema, name, Number.MAX_SAFE_INTEGER);
  const reason = valueIssue(takes, value);
  if (reason === undefined) return;
  const finding = setAside(`${name} ${reason}`, 'Correct it; until then it is left out.');
  repair.report({ parent: place, token: name }, finding);
  removeMember(schema, name);
}
