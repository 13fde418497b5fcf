import type { Contract } from '../../contract/index.ts';
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

/** The keys that a mock knows from the start; its service is compiled only for their limits. */
export function listKeys(mock: {
  readonly contract: Contract;
  readonly service: Service;
}): readonly MockKey[] {
  return keysOf(mock.contract).map(({ key, plan }) => {
    const { windows = [] } =
      (plan === '' ? undefined : mock.service.openMeter(plan, {}).limits) ?? {};
    return { key, plan, limits: windows.map(({ name, limit }) => ({ window: name, limit })) };
  });
}
