import { documentLimits } from '../../limits/index.ts';

/** The bounds on a pattern as it is written. */
export type PatternBound = 'patternLength' | 'patternDepth';

const words = {
  patternLength: 'characters long',
  patternDepth: 'groups deep',
} as const satisfies Readonly<Record<PatternBound, string>>;

/** A pattern is beyond a bound; the message is the reason, without the pattern. */
export class PatternTooLargeError extends Error {
  constructor(bound: PatternBound, found: number) {
    super(
      `is too large to be matched: it is ${found} ${words[bound]}, and ${documentLimits[bound].most} is the most`,
    );
  }
}
