import { parseReplayId } from '../conformance/index.ts';
import { appendPointer } from '../contract/json/pointer.ts';
import { hasCode } from '../contract/error/petstore-error.ts';
import {
  isJsonArray,
  isJsonObject,
  type JsonValue,
  jsonEquals,
  ownMember,
} from '../contract/json/value.ts';

/** The first difference of two values. A missing value is undefined. */
export interface Difference {
  readonly pointer: string;
  readonly said: JsonValue | undefined;
  readonly found: JsonValue | undefined;
}

/**
 * The first difference between what a certificate says and what was found, in the order of the
 * latter. The order of members does not matter. The depth is bounded by what was found.
 */
export function findDifference(
  said: JsonValue | undefined,
  found: JsonValue | undefined,
  pointer = '',
): Difference | undefined {
  if (isJsonArray(said) && isJsonArray(found)) {
    for (let index = 0; index < Math.max(said.length, found.length); index += 1) {
      const difference = findDifference(said[index], found[index], appendPointer(pointer, index));
      if (difference !== undefined) return difference;
    }
    return undefined;
  }
  if (isJsonObject(said) && isJsonObject(found)) {
    for (const name of new Set([...Object.keys(found), ...Object.keys(said)])) {
      const [one, other] = [ownMember(said, name), ownMember(found, name)];
      const difference = findDifference(one, other, appendPointer(pointer, name));
      if (difference !== undefined) return difference;
    }
    return undefined;
  }
  return isSame(said, found) ? undefined : { pointer, said, found };
}

function isSame(said: JsonValue | undefined, found: JsonValue | undefined): boolean {
  if (said === undefined || found === undefined) return said === found;
  return jsonEquals(said, found) || isSameReplay(said, found);
}

/** The output of zlib may differ between machines, so replay ids are compared unpacked. */
function isSameReplay(said: JsonValue, found: JsonValue): boolean {
  const replays = [found, said].map((id) => (typeof id === 'string' ? unpack(id) : undefined));
  const [own, other] = replays;
  return own !== undefined && own === other;
}

function unpack(id: string): string | undefined {
  try {
    return JSON.stringify(parseReplayId(id));
  } catch (error) {
    if (hasCode(error, 'replay')) return undefined;
    throw error;
  }
}
