import type { Fault } from '../subject/mutant.ts';

/**
 * Faults that 60 requests have no room for, and what finds them. Each is one more request of a kind
 * that the plan ranks behind others.
 */
const needs: ReadonlyMap<string, 'more' | 'deep'> = new Map([
  ['name-array-first', 'more'],
  ['category-id-object-id', 'more'],
  ['category-id-array-length', 'more'],
  ['status-boolean-as-available', 'more'],
  ['status-array-first', 'more'],
  ['body-text-as-name', 'more'],
  ['500-limit-zero', 'more'],
  ['500-beyond-int64', 'more'],
  ['get-lags-1', 'deep'],
  ['get-lags-3', 'deep'],
  ['get-once', 'deep'],
]);

/** The fault with what the suite needs to find it. */
export function withNeeds(fault: Fault): Fault {
  const need = fault.needs ?? needs.get(fault.id);
  return need === undefined ? fault : { ...fault, needs: need };
}
