import type { Contract } from '../contract/index.ts';
import type { House } from './house.ts';

/** What a reload changed, one line each. */
export interface Reload {
  readonly changes: readonly string[];
}

export function reloadHouse(_house: House, _contract: Contract): Promise<Reload> {
  return Promise.reject(new Error('Not yet.'));
}
