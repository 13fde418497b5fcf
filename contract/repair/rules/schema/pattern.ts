import { documentLimits } from '../../../limits/index.ts';
import { isJsonObject } from '../../../json/value.ts';
import { removeMember, renameMember, setMember } from '../../../json/edit.ts';
import { type Rule, setAside, warning } from '../../base/repair.ts';
import { patternIssue } from '../../../pattern/pattern.ts';
import { translatePattern } from '../../pattern/translate.ts';

/** Regular expressions of other dialects than that of ECMA-262. */
export const repairPatterns: Rule = (schema, place, repair) => {
  const { pattern, patternProperties } = schema;
  const read = (text: string, at: typeof place): string | undefined => {
    const isTooLong = text.length > documentLimits.patternLength.most;
    const translated = isTooLong ? text : translatePattern(text);
    const issue = translated === undefined ? undefined : patternIssue(translated);
    if (issue !== undefined) {
      repair.report(at, setAside(issue, 'Write it so that it repeats less; it is left out.'));
      return undefined;
    }
    if (translated === text) return text;
    const reason = 'must be a regular expression of ECMA-262 with the u flag';
    repair.report(
      at,
      translated === undefined
        ? setAside(reason, 'Write it in that dialect; until then it is left out.')
        : warning(reason, `Write ${translated}; it is read so.`),
    );
    return translated;
  };
  if (typeof pattern === 'string') {
    const text = read(pattern, { parent: place, token: 'pattern' });
    if (text === undefined) removeMember(schema, 'pattern');
    else if (text !== pattern) setMember(schema, 'pattern', text);
  }
  if (!isJsonObject(patternProperties)) return;
  const above = { parent: place, token: 'patternProperties' };
  for (const name of Object.keys(patternProperties)) {
    const at = { parent: above, token: name };
    const text = read(name, at);
    if (text === name) continue;
    repair.keepOrigin(patternProperties[name], at);
    if (text === undefined) removeMember(patternProperties, name);
    else renameMember(patternProperties, name, text);
  }
};
