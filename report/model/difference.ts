/** A stretch of a text, in UTF-16 code units: from `start` up to but not including `end`. */
export interface Stretch {
  readonly start: number;
  readonly end: number;
}

/** Where two texts differ: what stands before and after the stretches is the same in both. */
export interface Difference {
  readonly expected: Stretch;
  readonly received: Stretch;
}

/**
 * Finds the part in which two texts differ. Where both begin with an HTTP status, that is what
 * differs or nothing. Undefined where the texts are equal, or have so little in common that to mark
 * a part would say nothing.
 */
export function findDifference(expected: string, received: string): Difference | undefined {
  if (expected === received) return undefined;
  const statuses = [expected, received].map((text) => /^\d{3}(?!\w)/.exec(text)?.[0]);
  if (statuses.every((status) => status !== undefined))
    return statuses[0] === statuses[1] ? undefined : { expected: leading, received: leading };
  const before = countCommon(expected, received);
  const longest = Math.min(expected.length, received.length) - before;
  const after = Math.min(longest, countCommonEnd(expected, received));
  if (!/[\p{L}\p{N}]/u.test(expected.slice(0, before) + expected.slice(expected.length - after)))
    return undefined;
  return {
    expected: { start: before, end: expected.length - after },
    received: { start: before, end: received.length - after },
  };
}

/** The place of a status at the beginning of a text. */
const leading: Stretch = { start: 0, end: 3 };

/** Code units that both texts begin with; never ends within a surrogate pair. */
function countCommon(one: string, other: string): number {
  let count = 0;
  while (count < one.length && one[count] === other[count]) count += 1;
  return /[\uD800-\uDBFF]$/.test(one.slice(0, count)) ? count - 1 : count;
}

/** Code units that both texts end with; never begins within a surrogate pair. */
function countCommonEnd(one: string, other: string): number {
  let count = 0;
  while (count < one.length && one.at(-1 - count) === other.at(-1 - count)) count += 1;
  return /^[\uDC00-\uDFFF]/.test(one.slice(one.length - count)) ? count - 1 : count;
}

export function splitAt(
  text: string,
  stretch: Stretch | undefined,
): readonly [before: string, within: string, after: string] {
  const { start, end } = stretch ?? { start: text.length, end: text.length };
  return [text.slice(0, start), text.slice(start, end), text.slice(end)];
}
