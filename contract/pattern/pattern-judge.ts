import { documentLimits } from '../limits/index.ts';
import { createPattern } from './pattern.ts';

/** The patterns of schemas, as ajv takes them, and what one validation spends on them. */
export interface PatternJudge {
  /** A regular expression by its source and flags. Throws SyntaxError where it is none. */
  readonly create: (source: string, flags: string) => RegExpLike;
  /** Before a validation. `otherwise`: whether texts match that cannot be judged. */
  readonly begin: (otherwise: boolean) => void;
  /** Whether there were such texts since `begin`. */
  readonly isInDoubt: () => boolean;
}

interface RegExpLike {
  readonly test: (text: string) => boolean;
  readonly toString: () => string;
}

/** The patterns of one compiler. Steps are counted over all that a value holds. */
export function createPatternJudge(): PatternJudge {
  let left = 0;
  let isDoubt = false;
  let answer = true;
  return {
    create: (source, flags) => {
      const pattern = createPattern(source, flags);
      return {
        test: (text) => {
          const found = pattern.judge(text, left);
          left -= found.steps;
          isDoubt ||= found.matches === undefined;
          return found.matches ?? answer;
        },
        toString: pattern.toString,
      };
    },
    begin: (otherwise) => {
      left = documentLimits.patternSteps.most;
      isDoubt = false;
      answer = otherwise;
    },
    isInDoubt: () => isDoubt,
  };
}
