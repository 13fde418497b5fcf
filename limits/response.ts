import type { Limit } from './limit.ts';

/** What one response of a target may cost the suite. */
export const responseLimits = {} as const satisfies Readonly<Record<string, Limit>>;
