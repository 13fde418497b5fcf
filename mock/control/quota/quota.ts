import type { Contract } from '../../../contract/contract.ts';
import { PetstoreError } from '../../../contract/error/petstore-error.ts';
import { unknownName } from '../../../contract/error/unknown-name.ts';
import { keysIn } from '../../sandbox/keyring.ts';
import { type Bucket, type Limits, emptyBucket, readCounts } from '../../rate-limit/limiter.ts';
import type { KeyBucket, Sandbox } from '../../sandbox/sandbox.ts';
import { renderInstant } from '../../http/field.ts';
import type { Quota, QuotaChange } from '../declaration/schemas.ts';

/** By window. */
type Numbers = Readonly<Record<string, number>>;

const unlimited = 'The document has no rate limit.';

/** The quotas of every plan of the document in a sandbox; none without a rate limit. */
export function readQuotas(sandbox: Sandbox): readonly Quota[] {
  const plans = sandbox.service.contract.rateLimit?.plans ?? [];
  return plans.map(({ name }) => readQuota(sandbox, name));
}

function readQuota(sandbox: Sandbox, plan: string): Quota {
  const key = keyWith(sandbox, plan);
  const { meter } = sandbox.callerOf(key, plan);
  const now = sandbox.clock.now();
  const { limits, bucket } = meter;
  const counts =
    limits === undefined || bucket === undefined ? [] : readCounts(limits, bucket, now);
  const { bannedUntil = 0 } = bucket ?? {};
  return {
    plan,
    key,
    windows: counts.map(({ name, limit, used, resetAt }) => {
      return { name, limit, used, resetAt: renderInstant(resetAt) };
    }),
    bannedUntil: bannedUntil > now ? renderInstant(bannedUntil) : undefined,
  };
}

/** Changes what the keys of a plan may send, or count as sent. Throws `PetstoreError`. */
export function changeQuota(
  sandbox: Sandbox,
  plan: string,
  { limits, used, resetSeconds, banSeconds }: QuotaChange,
): Quota {
  const { service } = sandbox;
  const name = planNamed(service.contract, plan);
  if (limits !== undefined) {
    const key = name.toLowerCase();
    const changed = { ...sandbox.limits, [key]: { ...sandbox.limits[key], ...limits } };
    service.openMeter(name, changed);
    sandbox.limits = changed;
    sandbox.adopt(service);
  }
  const { meter } = sandbox.callerOf(keyWith(sandbox, name), name);
  if (meter.limits === undefined) throw new PetstoreError('limit', unlimited);
  const bucket = meter.bucket ?? emptyBucket(meter.limits);
  const now = sandbox.clock.now();
  const counted =
    used === undefined && resetSeconds === undefined
      ? bucket
      : withCounts(meter.limits, bucket, used ?? {}, resetSeconds ?? {}, now);
  const ban = banSeconds !== undefined && { bannedUntil: now + banSeconds * 1000, hammered: 0 };
  meter.bucket = { ...counted, ...ban };
  return readQuota(sandbox, name);
}

/** Returns to the limits of the mock, without counts. */
export function resetQuotas(sandbox: Sandbox): void {
  sandbox.limits = {};
  sandbox.adopt(sandbox.service);
  sandbox.restoreCounts([]);
}

function withCounts(
  limits: Limits,
  bucket: Bucket,
  used: Numbers,
  resetSeconds: Numbers,
  now: number,
): Bucket {
  const names = limits.windows.map(({ name }) => name);
  const wanted = [...Object.keys(used), ...Object.keys(resetSeconds)];
  const unknown = wanted.find((name) => !names.includes(name));
  if (unknown !== undefined) throw unknownName('limit', 'window', unknown, names);
  const current = readCounts(limits, bucket, now);
  const counts = limits.windows.map(({ name, milliseconds }, index) => {
    const before = current[index];
    const [count, wait] = [used[name] ?? before?.used ?? 0, resetSeconds[name]];
    if (wait !== undefined && !(wait > 0 && wait * 1000 <= milliseconds))
      throw new PetstoreError(
        'limit',
        `A ${name} must end in more than 0 and at most ${milliseconds / 1000} seconds, not in ${wait}.`,
      );
    const moved = wait === undefined ? undefined : now + Math.round(wait * 1000) - milliseconds;
    if (limits.start !== 'sliding') return { start: moved ?? before?.start ?? now, used: count };
    const at = moved ?? now;
    return { start: at, used: count, arrivals: count === 0 ? [] : [{ at, count }] };
  });
  return { ...bucket, counts };
}

function keyWith({ name, service }: Sandbox, plan: string): string {
  return keysIn(service.contract, name).find((known) => known.plan === plan)?.key ?? '';
}

function planNamed({ rateLimit }: Contract, wanted: string): string {
  const names = (rateLimit?.plans ?? []).map(({ name }) => name);
  const found = names.find((name) => name.toLowerCase() === wanted.toLowerCase());
  if (found !== undefined) return found;
  if (names.length === 0) throw new PetstoreError('limit', unlimited);
  throw unknownName('limit', 'plan', wanted, names);
}

/** Counts by keys of a sandbox as those of the keys with the same plans of another. */
export function renameCounts(
  buckets: readonly KeyBucket[],
  from: string,
  to: string,
): readonly KeyBucket[] {
  return buckets.map(({ key, bucket }) => ({
    key: key.endsWith(`_${from}`) ? key.slice(0, -from.length) + to : key,
    bucket,
  }));
}
