import type { Mutant } from '../subject/mutant.ts';
import { authMutants } from './auth.ts';
import { bodyMutants } from './body.ts';
import { concurrencyMutants } from './concurrency.ts';
import { fuzzMutants } from './fuzz.ts';
import { rateLimitMutants } from './rate-limit.ts';
import { requestMutants } from './request.ts';
import { robustnessMutants } from './robustness.ts';
import { stateMutants } from './state.ts';
import { textMutants } from './text.ts';

const families: Readonly<Record<string, readonly Mutant[]>> = {
  auth: authMutants,
  body: bodyMutants,
  concurrency: concurrencyMutants,
  fuzz: fuzzMutants,
  'rate-limit': rateLimitMutants,
  request: requestMutants,
  robustness: robustnessMutants,
  state: stateMutants,
  text: textMutants,
};

/**
 * Mutants that 60 requests have no room for, and what finds them. Each is one more request of a kind
 * that the plan ranks behind others.
 */
const needs: ReadonlyMap<string, 'more' | 'fuzz'> = new Map([
  ['500-beyond-int64', 'more'],
  ['get-lags-1', 'fuzz'],
  ['parameter-limit-uneven-400', 'more'],
  ['reset-name-object', 'more'],
]);

/**
 * Mutants whose server is another one after the first run: no list is empty any more, a counter is
 * past the identifiers that it gave twice, a limiter has counted for good, a cursor is elsewhere.
 */
const fading: ReadonlySet<string> = new Set([
  'list-empty-404',
  'list-204-if-empty',
  'list-goes-on',
  'id-of-a-listed-pet',
  'id-of-a-few',
  'rate-limit-reset-of-first-window',
  'rate-limit-remaining-refunded-twice',
  'rate-limit-returns-as-zero',
]);

/** The mutant with what the suite needs to find it. */
function withNeeds(mutant: Mutant): Mutant {
  const need = mutant.needs ?? needs.get(mutant.id);
  return {
    ...mutant,
    ...(need === undefined ? {} : { needs: need }),
    ...(fading.has(mutant.id) ? { fades: true } : {}),
  };
}

/** Every mutant, by the family of requirements or the part of a service that it is about. */
export const mutantFamilies: ReadonlyMap<string, readonly Mutant[]> = new Map(
  Object.entries(families).map(([family, rows]) => [family, rows.map(withNeeds)]),
);

/** Every mutant. */
export const mutants: readonly Mutant[] = [...mutantFamilies.values()].flat();
