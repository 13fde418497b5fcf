import type { Limit } from './limit.ts';

/** What clients may make one mock keep, over all its sandboxes. */
export const mockLimits = {} as const satisfies Readonly<Record<string, Limit>>;
