/** Characters of a pattern. */
export const mostPatternLength = 65_536;

/** Groups of a pattern within groups. */
export const mostPatternDepth = 250;

const bounds = {
  length: { most: mostPatternLength, noun: 'characters long' },
  depth: { most: mostPatternDepth, noun: 'groups deep' },
} as const;

/** A pattern is beyond a bound; the message is the reason, without the pattern. */
export class PatternTooLargeError extends Error {
  constructor(bound: keyof typeof bounds, found: number) {
    super(
      `is too large to be matched: it is ${found} ${bounds[bound].noun}, and ${bounds[bound].most} is the most`,
    );
  }
}
