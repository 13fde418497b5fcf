import { keepItems, removeMember } from '../json/edit.ts';
import { renderFragment } from '../json/pointer.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts';

/** Bytes of a document, and of a file that it refers to. */
export const mostBytes = 64 * 1024 * 1024;

/** Levels of objects and lists in a document. */
export const mostLevels = 500;

/** Values of a document, with its aliases resolved. */
export const mostValues = 1_000_000;

/** Items of one list, and members of one object. */
export const mostMembers = 100_000;

/** Words that make a list or an object of a schema: cut short, they would mean something else. */
const schemaWords = new Set([
  'allOf',
  'anyOf',
  'dependentRequired',
  'dependentSchemas',
  'enum',
  'oneOf',
  'patternProperties',
  'prefixItems',
  'properties',
  'required',
]);

/**
 * Leaves out, in place, what a list or an object has beyond `mostMembers`; a schema with such a list
 * becomes one that accepts any value. `report` is called before the change. Throws an Error for more
 * than `mostValues`. True where a `$ref` leads to another file.
 */
export function boundValue(
  root: JsonObject,
  report: (pointer: string, reason: string) => void,
): boolean {
  let count = 1;
  let refersOut = false;
  const tokens: string[] = [];
  visit(root, root);
  return refersOut;

  /** Calls itself, because no document is deeper than `mostLevels`. */
  function visit(value: JsonObject | readonly JsonValue[], holder: object): void {
    const size = isJsonArray(value) ? value.length : Object.keys(value).length;
    const reference = isJsonObject(value) ? value['$ref'] : undefined;
    if (typeof reference === 'string' && !reference.startsWith('#')) refersOut = true;
    if (size > mostMembers) {
      const noun = isJsonArray(value) ? 'items' : 'members';
      report(renderFragment(tokens), `it has ${size} ${noun}, at most ${mostMembers} are read`);
      const isOfSchema = schemaWords.has(tokens.at(-1) ?? '') && tokens.at(-2) !== 'properties';
      if (isOfSchema && isJsonObject(holder)) {
        for (const name of Object.keys(holder)) removeMember(holder, name);
        return;
      }
      if (isJsonArray(value)) keepItems(value, value.slice(0, mostMembers));
      else for (const name of Object.keys(value).slice(mostMembers)) removeMember(value, name);
    }
    count += Math.min(size, mostMembers);
    if (count > mostValues) throw new Error(`the document has more than ${mostValues} values`);
    for (const name of Object.keys(value)) {
      const member = isJsonArray(value) ? value[Number(name)] : value[name];
      if (!isJsonArray(member) && !isJsonObject(member)) continue;
      tokens.push(name);
      visit(member, value);
      tokens.pop();
    }
  }
}
