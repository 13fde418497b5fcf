import { isJsonObject, type JsonObject, type JsonValue } from '../../../json/value.ts';
import { removeMember, setMember } from '../../base/edit.ts';
import { type Mending, type Rule, warning } from '../../base/mending.ts';
import type { Place } from '../../base/place.ts';
import { schemaWords } from '../../base/schema.ts';
import { wordOf } from '../../base/word.ts';

const places = ['query', 'header', 'path', 'cookie'];

/** A parameter without its place or schema, or with the words of a schema beside them. */
export const mendParameter: Rule = (parameter, place, mending) => {
  if (parameter['$ref'] !== undefined) return;
  mendPlace(parameter, place, mending);
  if (parameter['in'] === 'path' && parameter['required'] !== true) {
    const reason = `the path parameter ${wordOf(parameter['name'])} must be required`;
    mending.report(place, warning(reason, 'Write required: true; it is read so.'));
    setMember(parameter, 'required', true);
  }
  mendSchemaOf(parameter, place, mending, 'parameter', { type: 'string' });
};

/** A header as version 2.0 describes it. */
export const mendHeader: Rule = (header, place, mending) => {
  if (header['$ref'] === undefined) mendSchemaOf(header, place, mending, 'header', undefined);
};

function mendPlace(parameter: JsonObject, place: Place | undefined, mending: Mending): void {
  const { in: given, name } = parameter;
  if (typeof given === 'string' && places.includes(given)) return;
  const lower = wordOf(given).trim().toLowerCase();
  const read = places.find((one) => one === lower) ?? (isInPath(name, place) ? 'path' : 'query');
  const reason = `in must be one of ${places.join(', ')}`;
  mending.report(place, warning(reason, `Write in: ${read}; it is read so.`));
  setMember(parameter, 'in', read);
}

/** Whether the path that a parameter stands under names it. */
function isInPath(name: JsonValue | undefined, place: Place | undefined): boolean {
  for (let at = place; at !== undefined; at = at.parent)
    if (String(at.token).includes(`{${wordOf(name)}}`)) return true;
  return false;
}

function mendSchemaOf(
  holder: JsonObject,
  place: Place | undefined,
  mending: Mending,
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
  mending.report(place, warning(reason, remedy));
  const schema = words.length === 0 ? { ...byDefault } : {};
  mending.keepOrigin(schema, place);
  for (const name of words) {
    setMember(schema, name, holder[name] ?? null);
    removeMember(holder, name);
  }
  setMember(holder, 'schema', schema);
}
