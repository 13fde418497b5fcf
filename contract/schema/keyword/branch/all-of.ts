import type { Keyword } from '../keyword.ts';

/** JSON Schema Core, section 10.2.1.1. What its schemas refuse is told by their own keywords. */
export const allOf: Keyword = { name: 'allOf', takes: 'schemas', isInPlace: true };
