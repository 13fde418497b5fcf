import type { Limit } from './limit.ts';

/** What a document may cost whoever loads it, generates from it and validates by it. */
export const documentLimits = {} as const satisfies Readonly<Record<string, Limit>>;
