import type { Clock } from './clock.ts';
import type { Inventory } from './inventory.ts';

/**
 * A world of its own: what its callers store and the time they see. All fixture keys share one; nothing
 * in a sandbox can be reached from another.
 */
export interface Sandbox {
  readonly name: string;
  readonly clock: Clock;
  /** Items by collection path. */
  readonly inventories: Map<string, Inventory>;
}

/** An empty sandbox. */
export function createSandbox(name: string, clock: Clock): Sandbox {
  return { name, clock, inventories: new Map() };
}
