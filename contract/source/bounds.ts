import { renderFragment } from '../json/pointer.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts';
import { keepItems, removeMember } from '../json/edit.ts';

/** Bytes of a document, and of a file that it refers to. */
export const mostBytes = 64 * 1024 * 1024;

/** Levels of objects and lists in a document. */
export const mostLevels = 500;

/** Values of a document, with its aliases resolved. */
export const mostValues = 1_000_000;

/** Items of one list, and members of one object. */
export const mostMembers = 100_000;

/** Diagnostics that are kept; the others are counted. */
export const mostDiagnostics = 2_000;

/** Characters of the reasons and places of the diagnostics that are kept. */
export const mostDiagnosticText = 2 * 1024 * 1024;

/** Tells what was left out, before it is. */
type Tell = (pointer: string, reason: string) => void;

/** A list or an object on the way to what it holds. */
interface Holder {
  readonly value: JsonObject | readonly JsonValue[];
  readonly parent: Holder | undefined;
  readonly token: string | number;
}

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
 * Leaves out, in place, what a list or an object has beyond `mostMembers`; a schema with
 * such a list becomes one that accepts any value. Throws an Error for more than
 * `mostValues`. True where a `$ref` leads to another file.
 */
export function boundValue(root: JsonObject, tell: Tell): boolean {
  const most = mostMembers;
  let count = 1;
  let refersOut = false;
  const pending: Holder[] = [{ value: root, parent: undefined, token: '' }];
  for (let holder = pending.pop(); holder !== undefined; holder = pending.pop()) {
    const { value } = holder;
    const reference = isJsonObject(value) ? value['$ref'] : undefined;
    if (typeof reference === 'string' && !reference.startsWith('#')) refersOut = true;
    const size = isJsonArray(value) ? value.length : Object.keys(value).length;
    if (size > most) {
      const noun = isJsonArray(value) ? 'items' : 'members';
      tell(pointerOf(holder), `it has ${size} ${noun}, at most ${most} are read`);
      if (isOfSchema(holder)) continue;
      shorten(value, most);
    }
    count += Math.min(size, most);
    if (count > mostValues) throw new Error(`the document has more than ${mostValues} values`);
    const parent = holder;
    if (isJsonArray(value)) value.forEach((item, index) => add(item, index));
    else for (const [name, member] of Object.entries(value)) add(member, name);

    function add(member: JsonValue | undefined, token: string | number): void {
      if (isJsonArray(member) || isJsonObject(member))
        pending.push({ value: member, parent, token });
    }
  }
  return refersOut;
}

/** Empties the schema that a list or object belongs to, if it does to one. */
function isOfSchema({ token, parent }: Holder): boolean {
  if (parent === undefined || isJsonArray(parent.value)) return false;
  if (typeof token !== 'string' || !schemaWords.has(token) || parent.token === 'properties')
    return false;
  for (const name of Object.keys(parent.value)) removeMember(parent.value, name);
  return true;
}

function shorten(value: JsonObject | readonly JsonValue[], most: number): void {
  if (isJsonArray(value)) keepItems(value, value.slice(0, most));
  else for (const name of Object.keys(value).slice(most)) removeMember(value, name);
}

function pointerOf(holder: Holder): string {
  const tokens: (string | number)[] = [];
  for (let at = holder; at.parent !== undefined; at = at.parent) tokens.push(at.token);
  return renderFragment(tokens.toReversed());
}
