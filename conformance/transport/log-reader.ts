import { appendPointer, isJsonArray, isJsonObject, type JsonValue } from '../../contract/index.ts';

/**
 * A record or log of a run that cannot be read; the message is one line: where, and what is wrong
 * there.
 */
export class LogError extends Error {
  override readonly name = 'LogError';
  /** JSON pointer (RFC 6901) into the value that was read; empty for the whole. */
  readonly pointer: string;
  constructor(pointer: string, reason: string) {
    super(`${pointer === '' ? 'the whole' : pointer} ${reason}`);
    this.pointer = pointer;
  }
}

/** Reads an untrusted value that stands at a pointer. Throws `LogError`. */
export type Read<T> = (value: JsonValue, at: string) => T;

/** The members of an object of which it is known that it has no others. */
export interface Members {
  /** A member that has to be there. */
  readonly need: <T>(name: string, read: Read<T>) => T;
  /** A member that may be left out. */
  readonly take: <T>(name: string, read: Read<T>) => T | undefined;
}

/** Opens an object that has the needed members, perhaps the optional ones, and no others. */
export function openMembers(
  value: JsonValue,
  at: string,
  needed: readonly string[],
  optional: readonly string[] = [],
): Members {
  if (!isJsonObject(value)) throw new LogError(at, 'has to be an object');
  const unknown = Object.keys(value).find(
    (name) => !needed.includes(name) && !optional.includes(name),
  );
  if (unknown !== undefined)
    throw new LogError(
      appendPointer(at, unknown),
      `is unknown here; there are ${[...needed, ...optional].join(', ')}`,
    );
  const missing = needed.find((name) => memberOf(value, name) === undefined);
  if (missing !== undefined) throw new LogError(appendPointer(at, missing), 'is missing');
  const take = <T>(name: string, read: Read<T>): T | undefined => {
    const member = memberOf(value, name);
    return member === undefined ? undefined : read(member, appendPointer(at, name));
  };
  const need = <T>(name: string, read: Read<T>): T =>
    read(memberOf(value, name) ?? null, appendPointer(at, name));
  return { need, take };
}

function memberOf(
  value: Readonly<Record<string, JsonValue | undefined>>,
  name: string,
): JsonValue | undefined {
  return Object.hasOwn(value, name) ? value[name] : undefined;
}

export const readText: Read<string> = (value, at) => {
  if (typeof value === 'string') return value;
  throw new LogError(at, 'has to be a text');
};

export const readFlag: Read<boolean> = (value, at) => {
  if (typeof value === 'boolean') return value;
  throw new LogError(at, 'has to be true or false');
};

/** A whole number of a range, both ends included. */
export function wholeFrom(least: number, most: number): Read<number> {
  return (value, at) => {
    if (typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most)
      return value;
    throw new LogError(at, `has to be a whole number from ${least} to ${most}`);
  };
}

/** Milliseconds since the Unix epoch, fractions included, within what a date can hold. */
export const readInstant: Read<number> = (value, at) => {
  if (typeof value === 'number' && value >= 0 && value <= 8.64e15) return value;
  throw new LogError(at, 'has to be a time in milliseconds since 1970');
};

/** One of some texts. */
export function choiceOf<T extends string>(choices: readonly T[]): Read<T> {
  return (value, at) => {
    const found = choices.find((each) => each === value);
    if (found !== undefined) return found;
    throw new LogError(at, `has to be one of ${choices.join(', ')}`);
  };
}

/** A value that may be undefined, which JSON tells by `null`. */
export function orNull<T>(read: Read<T>): Read<T | undefined> {
  return (value, at) => (value === null ? undefined : read(value, at));
}

export function listOf<T>(read: Read<T>): Read<readonly T[]> {
  return (value, at) => {
    if (!isJsonArray(value)) throw new LogError(at, 'has to be a list');
    return value.map((each, index) => read(each, appendPointer(at, index)));
  };
}

/** An object of which every member is read alike, whatever its name. */
export function mapOf<T>(read: Read<T>): Read<Readonly<Record<string, T>>> {
  return (value, at) => {
    if (!isJsonObject(value)) throw new LogError(at, 'has to be an object');
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [
        name,
        read(member ?? null, appendPointer(at, name)),
      ]),
    );
  };
}
