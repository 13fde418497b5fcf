import type { Limit } from './limit.ts';

/** What a file that a command reads may cost, besides documents and certificates. */
export const inputLimits = {} as const satisfies Readonly<Record<string, Limit>>;
