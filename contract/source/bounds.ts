import { isJsonArray, type JsonValue, objectOf } from '../json/value.ts';
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
const mostPointerText = 5_000;

/** A value within the bounds, or why it is not, and how many values were counted in it. */
interface BoundedValue {
  readonly value: JsonValue | undefined;
  readonly values: number;
  readonly issues: readonly TextIssue[];
}

/** How the scalars of YAML become JSON. */
interface YamlReading {
  /** Undefined for lists, objects and what is not a JSON value. */
  readonly readScalar: (value: unknown) => JsonValue | undefined;
  /** A member `<<` stands for the members of other objects. */
  readonly merges?: boolean;
}

/**
 * A copy of a parsed YAML text as JSON, in which each use of an alias is a value of its own; without
 * `yaml` the text was JSON: its values are counted, and nothing is copied. Undefined, with the reason,
 * for what is beyond a bound.
 */
export function boundValue(root: unknown, yaml?: YamlReading): BoundedValue {
  const issues: TextIssue[] = [];
  /** Lists and objects around the current value. */
  const holders = new Set<unknown>();
  let [values, characters] = [0, 0];
  try {
    return { value: read(root, 0, 0), values, issues };
  } catch (cause) {
    if (!(cause instanceof BoundError)) throw cause;
    return { value: undefined, values, issues: [{ code: 'too-large', message: cause.message }] };
  }

  /** `levels`, `names`: the tokens of the pointer to the value, and their characters. */
  function read(value: unknown, levels: number, names: number): JsonValue {
    values += 1;
    if (typeof value === 'string') characters += value.length;
    if (values > mostValues) refuse(`the document has more than ${mostValues} values`);
    if (characters > mostBytes) refuse(`the document has more than ${mostBytes} characters`);
    const scalar = yaml?.readScalar(value);
    if (scalar !== undefined) return scalar;
    if (holders.has(value)) return leaveOut('an anchor is used within its own value');
    if (typeof value !== 'object' || value === null)
      return yaml === undefined ? null : leaveOut(`${String(value)} is not a JSON value`);
    const entries: readonly [string, unknown][] = Object.entries(value);
    const { length } = entries;
    const noun = Array.isArray(value) ? 'items' : 'members';
    if (length > mostMembers)
      refuse(`a value has ${length} ${noun}, at most ${mostMembers} are read`);
    if (length > 0 && levels === mostLevels)
      refuse(`it is nested more than ${mostLevels} levels deep`);
    if (length > 0 && names > mostPointerText)
      refuse(`the names around a value have more than ${mostPointerText} characters`);
    if (yaml !== undefined) holders.add(value);
    const members: [string, JsonValue][] = [];
    for (const [name, member] of entries) {
      if (name.length > mostNameText)
        refuse(
          `the name ${name.slice(0, 40)}… has ${name.length} characters, at most ${mostNameText} are read`,
        );
      const inner = read(member, levels + 1, names + name.length + 1);
      if (yaml !== undefined) members.push([name, inner]);
    }
    holders.delete(value);
    if (Array.isArray(value)) return members.map(([, item]) => item);
    return Object.fromEntries(yaml?.merges === true ? merge(members) : members);
  }

  function leaveOut(message: string): null {
    issues.push({ code: 'invalid-syntax', message });
    return null;
  }

  /** With the members of the objects under `<<` that are not there before them. */
  function merge(members: readonly [string, JsonValue][]): ReadonlyMap<string, JsonValue> {
    const merged = new Map<string, JsonValue>();
    for (const [name, value] of members) {
      const sources = name !== '<<' ? [] : isJsonArray(value) ? value : [value];
      if (name !== '<<') merged.set(name, value);
      for (const [inner, member = null] of sources.flatMap((one) =>
        Object.entries(objectOf(one)),
      )) {
        values += 1;
        if (!merged.has(inner)) merged.set(inner, member);
      }
    }
    return merged;
  }
}

class BoundError extends Error {}

function refuse(message: string): never {
  throw new BoundError(message);
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
