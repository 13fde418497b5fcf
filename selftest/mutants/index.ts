import { againMutants } from './state/again.ts';
import { authMutants } from './auth.ts';
import { bodyTextMutants } from './body/text.ts';
import { bodyValueMutants } from './body/value.ts';
import { concurrencyMutants } from './concurrency.ts';
import { formMutants } from './form.ts';
import { fuzzMutants } from './fuzz.ts';
import { unlistedMutants } from './unlisted.ts';
import { refusalMutants } from './refusal.ts';
import { headerMutants } from './header.ts';
import { identifierMutants } from './state/identifier.ts';
import { lookupMutants } from './state/lookup.ts';
import { listsMutants } from './state/list.ts';
import { numberMutants } from './body/number.ts';
import { parameterMutants } from './parameter.ts';
import { rateLimitLimitMutants } from './rate-limit/limit.ts';
import { rateLimitLimiterMutants } from './rate-limit/limiter.ts';
import { rateLimitRefusalMutants } from './rate-limit/refusal.ts';
import { rateLimitRemainingMutants } from './rate-limit/remaining.ts';
import { rateLimitResetMutants } from './rate-limit/reset.ts';
import { rateLimitRetryMutants } from './rate-limit/retry.ts';
import { requestMutants } from './request.ts';
import { robustnessMutants } from './robustness.ts';
import { stateEchoMutants } from './state/echo.ts';
import { stateWrittenMutants } from './state/written.ts';
import { statusMutants } from './status.ts';
import { textMutants } from './body/text-values.ts';
import { wordMutants } from './body/words.ts';
import type { Mutant } from '../subject/mutant.ts';

const families: Readonly<Record<string, readonly Mutant[]>> = {
  auth: authMutants,
  body: [
    ...formMutants,
    ...bodyTextMutants,
    ...bodyValueMutants,
    ...numberMutants,
    ...textMutants,
    ...wordMutants,
  ],
  concurrency: concurrencyMutants,
  error: [...unlistedMutants, ...refusalMutants],
  fuzz: fuzzMutants,
  header: headerMutants,
  parameter: parameterMutants,
  'rate-limit': [
    ...rateLimitLimitMutants,
    ...rateLimitLimiterMutants,
    ...rateLimitRefusalMutants,
    ...rateLimitRemainingMutants,
    ...rateLimitResetMutants,
    ...rateLimitRetryMutants,
  ],
  request: requestMutants,
  robustness: robustnessMutants,
  state: [
    ...againMutants,
    ...identifierMutants,
    ...lookupMutants,
    ...listsMutants,
    ...stateEchoMutants,
    ...stateWrittenMutants,
  ],
  status: statusMutants,
};

/**
 * Mutants that 60 requests have no room for, and what finds them. Each is one more request of a kind
 * that the plan ranks behind others.
 */
const needs: ReadonlyMap<string, 'more' | 'fuzz'> = new Map([
  ['500-limit-zero', 'more'],
  ['category-id-too-small-clamped', 'more'],
  ['500-beyond-int64', 'more'],
  ['get-lags-1', 'fuzz'],
  ['parameter-limit-uneven-400', 'more'],
  ['reset-name-object', 'more'],
  ['reset-least-integer', 'more'],
  ['body-empty-object-taken', 'more'],
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
