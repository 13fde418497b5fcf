import { careful } from '../base/careful.ts';
import { createClient } from '../base/client.ts';
import type { Manner } from '../base/session.ts';
import type { Client } from '../base/wire.ts';

/** A client that keeps every rule in a way of its own. */
export interface ClientVariant {
  /** Kebab-case, its way in few words. */
  readonly id: string;
  readonly client: Client;
}

/** A careful client but for what is told. */
export function variant(id: string, way: Partial<Manner>): ClientVariant {
  return { id, client: createClient({ ...careful, ...way }) };
}
