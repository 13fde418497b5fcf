import { careful } from '../base/careful.ts';
import { createClient } from '../base/client.ts';
import type { Manner } from '../base/session.ts';
import type { Client } from '../base/wire.ts';

/** A client with one habit that breaks a rule. */
export interface ClientMutant {
  /** Kebab-case, the habit in few words. */
  readonly id: string;
  /** The rule that has to be failed, without `client/`. */
  readonly breaks: string;
  /** Rules that may be failed beside it, as the same habit shows there too. */
  readonly also: readonly string[];
  readonly client: Client;
}

/** A careful client but for what is told. */
export function mutant(
  id: string,
  [breaks, ...also]: readonly [rule: string, ...others: readonly string[]],
  habit: Partial<Manner>,
): ClientMutant {
  return { id, breaks, also, client: createClient({ ...careful, ...habit }) };
}
