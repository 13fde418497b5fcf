import type { RateLimitPolicy } from '../../contract/openapi/rate-limit.ts';
import { PetstoreError } from '../../contract/error/petstore-error.ts';
import { unknownName } from '../../contract/error/unknown-name.ts';
import { largest } from '../../contract/list/list.ts';
import type { Choices } from '../choice/choices.ts';
import { type Ban, type Limits, Meter } from './limiter.ts';

/**
 * Requests per window, by plan: `{ Enterprise: { minute: 5000 } }`; `anonymous` is for callers
 * without a key.
 */
export type LimitOptions = Readonly<Record<string, Readonly<Record<string, number>>>>;

export interface BanOptions {
  /** Number of requests before the end of a `Retry-After` that lead to a ban. Default: 10. */
  readonly banAfter?: number | undefined;
  /** Length of a ban in seconds; 0: no bans. Default: the choice for `ban-length`, else 60. */
  readonly banSeconds?: number | undefined;
}

/** Plan name for callers without a valid key. */
export const anonymousPlan = 'anonymous';

/**
 * Creates meters by plan; undefined without a key. `own`: limits that override those of the mock.
 * Throws `PetstoreError` for limits that the document does not have.
 */
export function compileMeters(
  choices: Choices,
  { limits, banAfter, banSeconds }: BanOptions & { readonly limits: LimitOptions },
): (plan: string | undefined, own: LimitOptions) => Meter {
  const status = choices.contract.rateLimit?.status ?? 0;
  const isUncounted = choices.choose('anonymous-callers').id === 'uncounted';
  const { id } = choices.choose('counted-requests');
  const compile = (own: LimitOptions) =>
    compileLimits(choices, [own, limits], { banAfter, banSeconds });
  const usual = compile({});
  return (plan, own) => {
    const isAnonymous = plan === undefined;
    const all = Object.keys(own).length > 0 ? compile(own) : usual;
    const counted = isAnonymous && isUncounted ? 'none' : id;
    return new Meter(all.get(plan ?? anonymousPlan), { status, counted, isAnonymous });
  };
}

/**
 * The limits of every plan, by its name, and of `anonymous`, which has the largest. A plan that is
 * left to configuration has ten times the largest. `options`: plans are compared without case, and of
 * several limits of a window the first counts. Throws `PetstoreError`.
 */
function compileLimits(
  choices: Choices,
  options: readonly LimitOptions[],
  bans: BanOptions,
): ReadonlyMap<string, Limits> {
  const policy = choices.contract.rateLimit;
  const given = options.flatMap((one) => Object.entries(one));
  for (const [plan, limits] of given) refuseUnknownLimits(policy, plan, limits);
  if (policy === undefined) return new Map();
  const ban = compileBan(policy, choices, bans);
  const { id } = choices.choose('window-kind');
  const start = id === 'from-first-request' || id === 'sliding' ? id : 'fixed';
  const plans = [...policy.plans, { name: anonymousPlan, limits: largestLimits(policy, 1) }];
  return new Map(
    plans.map(({ name, limits }) => {
      const documented = limits ?? largestLimits(policy, 10);
      const own = given.filter(([plan]) => plan.toLowerCase() === name.toLowerCase());
      const windows = policy.windows.map((window) => ({
        name: window.name,
        milliseconds: window.seconds * 1000,
        limit:
          own.map(([, all]) => all[window.name]).find((limit) => limit !== undefined) ??
          documented.get(window.name) ??
          Number.MAX_SAFE_INTEGER,
      }));
      // Bans are per key: callers without one are not banned for each other's requests.
      return [name, { windows, start, ban: name === anonymousPlan ? undefined : ban }];
    }),
  );
}

function compileBan(
  policy: RateLimitPolicy,
  choices: Choices,
  { banAfter = 10, banSeconds }: BanOptions,
): Ban | undefined {
  const chosen = choices.choose('ban-length');
  const seconds =
    banSeconds ?? (chosen.id === 'none' ? 0 : Number(chosen.details['seconds'] ?? 60));
  return policy.bans && seconds > 0 ? { after: banAfter, milliseconds: seconds * 1000 } : undefined;
}

function largestLimits(policy: RateLimitPolicy, factor: number): ReadonlyMap<string, number> {
  return new Map(
    policy.windows.map(({ name }) => {
      const known = policy.plans.map(({ limits }) => limits?.get(name) ?? 0);
      return [name, factor * largest(known, 1000)];
    }),
  );
}

function refuseUnknownLimits(
  policy: RateLimitPolicy | undefined,
  plan: string,
  limits: Readonly<Record<string, number>>,
): void {
  if (policy === undefined)
    throw fault('The document limits no request rate, so no limit can be set.');
  const plans = [...policy.plans.map(({ name }) => name), anonymousPlan];
  if (!plans.some((name) => name.toLowerCase() === plan.toLowerCase()))
    throw unknownName('limit', 'plan', plan, plans);
  const windows = policy.windows.map(({ name }) => name);
  for (const [window, limit] of Object.entries(limits)) {
    if (!windows.includes(window)) throw unknownName('limit', 'window', window, windows);
    if (!Number.isSafeInteger(limit) || limit < 1)
      throw fault(`The limit of a ${window} must be an integer of at least 1, not ${limit}.`);
  }
}

const fault = (message: string): PetstoreError => new PetstoreError('limit', message);
