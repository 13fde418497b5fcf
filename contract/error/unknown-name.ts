import { type ErrorCode, PetstoreError } from './petstore-error.ts';

/** The error for an unknown name: `There is no plan "Gold"; there are Free.` */
export function unknownName(
  code: ErrorCode,
  noun: string,
  name: string,
  known: readonly string[],
): PetstoreError {
  return new PetstoreError(code, explainUnknown(noun, name, known));
}

/** `There is no plan "Fre"; did you mean Free? There are Free, Pro.` */
export function explainUnknown(noun: string, name: string, known: readonly string[]): string {
  const near = nearestName(name, known);
  const subject = `There is no ${noun} ${JSON.stringify(name)}`;
  if (known.length === 0) return `${subject}.`;
  const all = `${known.length === 1 ? 'is' : 'are'} ${known.join(', ')}.`;
  return near === undefined
    ? `${subject}; there ${all}`
    : `${subject}; did you mean ${near}? There ${all}`;
}

/** A question to append to a sentence: ` Did you mean limit?`; empty if no name is similar. */
export function suggestName(name: string, known: readonly string[]): string {
  const near = nearestName(name, known);
  return near === undefined ? '' : ` Did you mean ${near}?`;
}

/** Longer names, which come from clients, are not compared. */
const longestName = 100;

/**
 * The known name that was probably meant: it differs only in case and punctuation, or in one edit per three
 * characters, at most four; swapping neighbours counts as one edit. The nearest, of equals the first;
 * undefined if none is similar.
 */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  const sought = fold(name);
  if (sought === '' || name.length > longestName) return undefined;
  let [nearest, fewest]: [string | undefined, number] = [undefined, Infinity];
  for (const one of known.filter((each) => each !== name && each.length <= longestName)) {
    const meant = fold(one);
    // Three characters of the shorter name, so that some of it must match.
    const most = Math.min(4, Math.floor(Math.min(sought.length, meant.length) / 3));
    if (Math.abs(sought.length - meant.length) > most) continue;
    const edits = countEdits(sought, meant);
    if (edits <= most && edits < fewest) [nearest, fewest] = [one, edits];
  }
  return nearest;
}

function fold(name: string): string {
  return name.toLowerCase().replace(/[-_.\s[\]]/g, '');
}

/** Characters to add, remove, replace or swap with a neighbour (optimal string alignment). */
function countEdits(from: string, to: string): number {
  let before: readonly number[] = [];
  let last: readonly number[] = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row += 1) {
    const next = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const [a, b] = [from[row - 1], to[column - 1]];
      const isSwap = row > 1 && column > 1 && a === to[column - 2] && from[row - 2] === b;
      next[column] = Math.min(
        (last[column] ?? 0) + 1,
        (next[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (a === b ? 0 : 1),
        isSwap ? (before[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    [before, last] = [last, next];
  }
  return last[to.length] ?? 0;
}
