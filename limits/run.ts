import type { Limit } from './limit.ts';

/** What a run of the suite may take, and what it must have tested. */
export const runLimits = {} as const satisfies Readonly<Record<string, Limit>>;
