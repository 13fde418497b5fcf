import { isJsonObject, type JsonObject, type JsonValue } from '../../../json/value.ts';
import { removeMember, setMember } from '../../../json/edit.ts';
import { type Repair, type Rule, warning } from '../../base/repair.ts';
import type { Place } from '../../base/place.ts';
import { schemaWords } from '../../base/schema.ts';
import { wordOf } from '../../../json/word.ts';

const places = ['query', 'header', 'path', 'cookie', 'querystring'];

/** A parameter without its place or schema, or with the words of a schema beside them. */
export const repairParameter: Rule = (parameter, place, repair) => {
  if (parameter['$ref'] !== undefined) return;
  repairPlace(parameter, place, repair);
  if (parameter['in'] === 'path' && parameter['required'] !== true) {
    const reason = `the path parameter ${wordOf(parameter['name'])} must be required`;
    repair.report(place, warning(reason, 'Write required: true; it is read so.'));
    setMember(parameter, 'required', true);
  }
  repairSchemaOf(parameter, place, repair, 'parameter', { type: 'string' });
};

/** A header as version 2.0 describes it. */
export const repairHeader: Rule = (header, place, repair) => {
  if (header['$ref'] === undefined) repairSchemaOf(header, place, repair, 'header', undefined);
};

function repairPlace(parameter: JsonObject, place: Place | undefined, repair: Repair): void {
  const { in: given, name } = parameter;
  if (typeof given === 'string' && places.includes(given)) return;
  const lower = wordOf(given).trim().toLowerCase();
  const read = places.find((one) => one === lower) ?? (isInPath(name, place) ? 'path' : 'query');
  const reason = `in must be one of ${places.slice(0, 4).join(', ')}`;
  repair.report(place, warning(reason, `Write in: ${read}; it is read so.`));
  setMember(parameter, 'in', read);
}

/** Whether the path that a parameter stands under names it. */
function isInPath(name: JsonValue | undefined, place: Place | undefined): boolean {
  for (let at = place; at !== undefined; at = at.parent)
    if (String(at.token).includes(`{${wordOf(name)}}`)) return true;
  return false;
}

function repairSchemaOf(
  holder: JsonObject,
  place: Place | undefined,
  repair: Repair,
  word: string,
  byDefault: JsonObject | undefined,
): void {
  if (holder['schema'] !== undefined && holder['schema'] !== null) return;
  const { content } = holder;
  if (isJsonObject(content) && Object.keys(content).length > 0) {
    const [media] = Object.values(content);
    if (isJsonObject(media) && media['schema'] === undefined) setMember(media, 'schema', {});
    return;
  }
  const words = schemaWords.filter((name) => holder[name] !== undefined);
  if (words.length === 0 && byDefault === undefined) return;
  const reason = `a ${word} needs a schema`;
  const remedy =
    words.length === 0
      ? 'Add schema; any text is taken.'
      : `Write ${words.join(', ')} in schema; it is read so.`;
  repair.report(place, warning(reason, remedy));
  const schema = words.length === 0 ? { ...byDefault } : {};
  repair.keepOrigin(schema, place);
  for (const name of words) {
    setMember(schema, name, holder[name] ?? null);
    removeMember(holder, name);
  }
  setMember(holder, 'schema', schema);
}
