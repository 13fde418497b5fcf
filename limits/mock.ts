import type { Limit } from './limit.ts';

/** What clients may make one mock keep, over all its sandboxes. */
export const mockLimits = {
  addresses: {
    most: 1000,
    unit: 'count',
    what: 'Addresses whose requests without a valid key are counted apart',
    over: 'The one that was heard of least recently is forgotten, and starts anew.',
  },
} as const satisfies Readonly<Record<string, Limit>>;
