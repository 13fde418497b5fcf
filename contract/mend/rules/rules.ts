import type { Rule } from '../base/mending.ts';

/** The rules for an object of OpenAPI, in the order in which they are to be used. */
export function rulesOf(name: string): readonly Rule[] {
  return rules.get(name) ?? [];
}

const rules: ReadonlyMap<string, readonly Rule[]> = new Map<string, readonly Rule[]>([]);
