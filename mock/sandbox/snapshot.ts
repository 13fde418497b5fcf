import type { LimitOptions } from '../rate-limit/plans.ts';
import type { Bucket } from '../rate-limit/limiter.ts';
import type { ClockState } from './sandbox-clock.ts';
import type { ChoiceIds, Service } from './service.ts';
import type { StoredState } from '../store/store.ts';

/** Items, clock, choices, limits and counts of a sandbox; no faults and no journal. */
export interface Snapshot {
  /** What the items were stored for. */
  readonly service: Service;
  readonly state: StoredState;
  readonly clock: ClockState;
  readonly choices: ChoiceIds;
  readonly limits: LimitOptions;
  readonly buckets: ReadonlyMap<string, Bucket>;
}
