import { keysOf } from './keyring.ts';
import type { Service } from './service.ts';

/** An API key that the mock knows. */
export interface MockKey {
  readonly key: string;
  /** `` in documents without plans. */
  readonly plan: string;
  /** Requests by window; empty in documents without a rate limit. */
  readonly limits: readonly { readonly window: string; readonly limit: number }[];
}

/** The keys that a service knows from the start. */
export function listKeys(service: Service): readonly MockKey[] {
  return keysOf(service.contract).map(({ key, plan }) => {
    const windows = service.openMeter(plan, {}).limits?.windows ?? [];
    return { key, plan, limits: windows.map(({ name, limit }) => ({ window: name, limit })) };
  });
}
