import { againMutants } from './state/again.ts';
import { authMutants } from './auth.ts';
import { bodyFormMutants } from './body/form.ts';
import { bodyTextMutants } from './body/text.ts';
import { bodyValueMutants } from './body/value.ts';
import { concurrencyMutants } from './concurrency.ts';
import { fuzzMutants } from './fuzz.ts';
import { unlistedMutants } from './error/unlisted.ts';
import { errorRefusalMutants } from './error/refusal.ts';
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
import { requestPresenceMutants } from './request/presence.ts';
import { requestTypeMutants } from './request/type.ts';
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
    ...bodyFormMutants,
    ...bodyTextMutants,
    ...bodyValueMutants,
    ...numberMutants,
    ...textMutants,
    ...wordMutants,
  ],
  concurrency: concurrencyMutants,
  error: [...unlistedMutants, ...errorRefusalMutants],
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
  request: [...requestPresenceMutants, ...requestTypeMutants],
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
  ['name-array-first', 'more'],
  ['category-id-object-id', 'more'],
  ['category-id-array-length', 'more'],
  ['status-boolean-as-available', 'more'],
  ['status-array-first', 'more'],
  ['body-text-as-name', 'more'],
  ['500-limit-zero', 'more'],
  ['category-id-too-small-wrapped', 'more'],
  ['category-id-too-small-clamped', 'more'],
  ['status-trimmed', 'more'],
  ['name-boolean-to-text', 'more'],
  ['500-beyond-int64', 'more'],
  ['get-lags-1', 'fuzz'],
  ['get-lags-3', 'fuzz'],
  ['parameter-limit-uneven-400', 'more'],
  ['name-object-to-json', 'more'],
  ['name-object-kept', 'more'],
  ['name-object-to-text', 'more'],
  ['reset-name-object', 'more'],
  ['refused-422-name-object', 'more'],
  ['500-limit-letters', 'more'],
  ['category-id-smallest-500', 'more'],
  ['reset-least-integer', 'more'],
  ['body-empty-object-taken', 'more'],
]);

/**
 * Mutants whose server is another one after the first run: no list is empty any more, a counter is
 * past the identifiers that it gave twice, a limiter has counted for good, a cursor is elsewhere.
 */
const fading: ReadonlySet<string> = new Set([
  'list-null-if-empty',
  'list-object-if-empty',
  'list-empty-404',
  'list-204-if-empty',
  'list-404-if-empty',
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
