import type { Limit } from './limit.ts';

/** What a document may cost whoever loads it, generates from it and validates by it. */
export const documentLimits = {
  patternLength: {
    most: 65_536,
    unit: 'characters',
    what: 'A pattern',
    over: 'It is left out, with a diagnostic.',
  },
  patternDepth: {
    most: 250,
    unit: 'levels',
    what: 'Groups of a pattern within groups',
    over: 'It is left out, with a diagnostic.',
  },
  patternSteps: {
    most: 2 ** 25,
    unit: 'steps',
    what: 'Matching a text with a pattern',
    over: 'The text is neither taken to match nor not to: the pattern refuses nothing there.',
  },
  patternStates: {
    most: 10_000,
    unit: 'count',
    what: 'States of a pattern that is matched in linear time, its quantifiers counted out',
    over: 'It is matched by backtracking, as far as the steps go.',
  },
} as const satisfies Readonly<Record<string, Limit>>;
