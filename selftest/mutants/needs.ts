import type { Mutant } from '../subject/mutant.ts';

/**
 * Mutants that 60 requests have no room for, and what finds them. Each is one more request of a kind
 * that the plan ranks behind others.
 */
const needs: ReadonlyMap<string, 'more' | 'fuzz'> = new Map([
  ['name-array-first', 'more'],
  ['category-id-object-id', 'more'],
  ['category-id-array-length', 'more'],
  ['status-boolean-as-available', 'more'],
  ['status-array-first', 'more'],
  ['body-text-as-name', 'more'],
  ['500-limit-zero', 'more'],
  ['500-beyond-int64', 'more'],
  ['get-lags-1', 'fuzz'],
  ['get-lags-3', 'fuzz'],
  ['get-once', 'fuzz'],
]);

/** The mutant with what the suite needs to find it. */
export function withNeeds(mutant: Mutant): Mutant {
  const need = mutant.needs ?? needs.get(mutant.id);
  return need === undefined ? mutant : { ...mutant, needs: need };
}
