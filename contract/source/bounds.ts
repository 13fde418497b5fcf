import { renderFragment } from '../json/pointer.ts';
import { isJsonArray, isJsonObject, isNumeric, type JsonValue } from '../json/value.ts';
import { messageOf } from './diagnostic.ts';
import type { TextIssue } from './place.ts';

/** Bytes of a document, and of a file that it refers to. */
export const mostBytes = 32 * 1024 * 1024;

/** Levels of objects and lists in a document. */
export const mostLevels = 500;

/** Values of a document, with its aliases resolved. */
export const mostValues = 1_000_000;

/** Items of one list, and members of one object. */
export const mostMembers = 100_000;

/** Characters of the name of a member. */
export const mostNameText = 1_000;

/**
 * Characters of a pointer into a document, before it is escaped. Three times as many are still hashed:
 * V8 gives all longer texts of one length the same hash, and maps of them take quadratic time.
 */
export const mostPointerText = 5_000;

/** Keywords of a schema whose list or object would mean something else if it were cut short. */
const indivisible = new Set([
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

/** Issues of one kind about one text that are reported. */
const mostIssues = 1_000;

/** What is left of a value within the bounds, and how many values were counted in it. */
interface BoundedValue {
  readonly value: JsonValue | undefined;
  readonly values: number;
  readonly issues: readonly TextIssue[];
}

/** How many values a parsed JSON text has; undefined where something in it is beyond a bound. */
export function countWithinBounds(root: JsonValue): number | undefined {
  let values = 0;
  return isWithin(root, 0, 0) && values <= mostValues ? values : undefined;

  /** `levels`, `names`: the tokens of the pointer to the value, and their characters. */
  function isWithin(value: JsonValue, levels: number, names: number): boolean {
    values += 1;
    if (typeof value !== 'object' || value === null) return true;
    const isList = isJsonArray(value);
    const members = isList ? value : Object.keys(value);
    if (members.length === 0) return true;
    if (levels === mostLevels || names > mostPointerText || members.length > mostMembers)
      return false;
    return isList
      ? value.every((item, at) => isWithin(item, levels + 1, names + String(at).length + 1))
      : Object.entries(value).every(
          ([name, member = null]) =>
            name.length <= mostNameText && isWithin(member, levels + 1, names + name.length + 1),
        );
  }
}

/**
 * A copy of a parsed text as JSON, in which each use of an alias is a value of its own. What is too
 * deep or too wide is left out, and a schema with a list that is too wide accepts any value. Undefined
 * for too many values or characters. `readScalar` returns undefined for lists, objects and what is not
 * a JSON value. `merges`: a member `<<` stands for the members of other objects.
 */
export function boundValue(
  root: unknown,
  readScalar: (value: unknown) => JsonValue | undefined = readJsonScalar,
  merges = false,
): BoundedValue {
  const issues: TextIssue[] = [];
  const tokens: (string | number)[] = [];
  /** Lists and objects around the current value. */
  const holders = new Set<unknown>();
  let [values, characters, pointerText] = [0, 0, 0];
  try {
    return { value: copy(root), values, issues };
  } catch (cause) {
    return { value: undefined, values, issues: [{ code: 'too-large', message: messageOf(cause) }] };
  }

  /** Calls itself, but no more than `mostLevels` times. */
  function copy(value: unknown): JsonValue {
    count();
    if (typeof value === 'string') characters += value.length;
    refuseBeyond(characters, mostBytes, 'characters');
    const scalar = readScalar(value);
    if (scalar !== undefined) return scalar;
    if (holders.has(value)) return leaveOut('an anchor is used within its own value');
    if (typeof value !== 'object' || value === null)
      return leaveOut(`${String(value)} is not a JSON value`);
    holders.add(value);
    const copied = Array.isArray(value) ? copyList(value) : copyMembers(value);
    holders.delete(value);
    return copied;
  }

  function count(): void {
    values += 1;
    refuseBeyond(values, mostValues, 'values');
  }

  function leaveOut(message: string): null {
    issues.push({ code: 'invalid-syntax', message });
    return null;
  }

  function copyList(list: readonly unknown[]): JsonValue {
    return isTooDeep(list) ? [] : narrow(list, 'items').map((item, index) => within(index, item));
  }

  function copyMembers(object: object): JsonValue {
    if (isTooDeep(object)) return {};
    const isSchema = tokens.at(-1) !== 'properties';
    const members = new Map<string, JsonValue>();
    for (const name of narrow(Object.keys(object), 'members')) {
      const member: unknown = Reflect.get(object, name);
      if (name.length > mostNameText) {
        const shown = `${name.slice(0, 40)}…`;
        report(`the name ${shown} has ${name.length} characters, at most ${mostNameText} are read`);
        continue;
      }
      const copied = within(name, member);
      if (merges && name === '<<') mergeInto(members, copied);
      else members.set(name, copied);
      if (isSchema && indivisible.has(name) && isWide(member)) return {};
    }
    return Object.fromEntries(members);
  }

  /** Adds the members of an object, or of each of several, that are not there yet. */
  function mergeInto(members: Map<string, JsonValue>, sources: JsonValue): void {
    for (const source of isJsonArray(sources) ? sources : [sources])
      for (const [name, value = null] of Object.entries(isJsonObject(source) ? source : {})) {
        count();
        if (!members.has(name)) members.set(name, value);
      }
  }

  function isTooDeep(value: object): boolean {
    const isWithin = tokens.length < mostLevels && pointerText <= mostPointerText;
    if (isWithin || Object.keys(value).length === 0) return false;
    report(
      tokens.length < mostLevels
        ? `the names around it have more than ${mostPointerText} characters`
        : `is nested more than ${mostLevels} levels deep`,
    );
    return true;
  }

  function within(token: string | number, value: unknown): JsonValue {
    const { length } = String(token);
    tokens.push(token);
    pointerText += length + 1;
    const found = copy(value);
    pointerText -= length + 1;
    tokens.pop();
    return found;
  }

  function narrow<Item>(items: readonly Item[], noun: string): readonly Item[] {
    if (items.length <= mostMembers) return items;
    report(`it has ${items.length} ${noun}, at most ${mostMembers} are read`);
    return items.slice(0, mostMembers);
  }

  function report(message: string): void {
    if (issues.length < mostIssues)
      issues.push({ code: 'too-large', message, pointer: renderFragment(tokens) });
  }
}

function readJsonScalar(value: unknown): JsonValue | undefined {
  const isScalar = value === null || typeof value === 'string' || typeof value === 'boolean';
  return isScalar || isNumeric(value) ? value : undefined;
}

function isWide(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return (Array.isArray(value) ? value.length : Object.keys(value).length) > mostMembers;
}

function refuseBeyond(count: number, most: number, noun: string): void {
  if (count > most) throw new Error(`the document has more than ${most} ${noun}`);
}

/**
 * Runs what may throw and catch errors, whose stacks nobody sees: of a broken document there may be tens
 * of thousands, whose stacks would take seconds.
 */
export function withoutStacks<Value>(run: () => Value): Value {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return run();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}
