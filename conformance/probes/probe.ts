import type { Contract } from '../../contract/contract.ts';
import type { Operation } from '../../contract/openapi/operation.ts';
import type { RatePlan } from '../../contract/openapi/rate-limit.ts';
import type { CredentialUse } from '../transport/exchange.ts';
import type { KnownItems } from './known-items.ts';
import type { Random } from '../generate/random.ts';
import type { Session } from '../transport/session.ts';
import { writes } from '../transport/target.ts';

/**
 * A few requests that can prove or break some requirements. Probes are planned before the first
 * request. Their exchanges are judged afterwards.
 */
export interface Probe {
  /** `createPet/invalid: name is missing`: stable within a contract. */
  readonly id: string;
  readonly phase: Phase;
  /** 1: sent first when the budget is small. */
  readonly rank: number;
  /** Expected number of requests. */
  readonly requests: number;
  /** Requests reserved for removing what it adds. Default 0. */
  readonly leaves?: number;
  /** Sends requests that may add or change items. */
  readonly writes: boolean;
  /** Requirements that it can prove. */
  readonly proves: readonly string[];
  /** Its requirements need all the probes that prove them. */
  readonly isPart?: boolean;
  readonly run: (run: Run) => Promise<unknown>;
}

/** Creates a probe of an operation: by default of rank 1, with one request. */
export function createProbe(
  operation: Pick<Operation, 'id' | 'method'>,
  name: string,
  probe: Pick<Probe, 'phase' | 'proves' | 'run'> & Partial<Probe>,
): Probe {
  const id = `${operation.id}/${name}`;
  return { id, rank: 1, requests: 1, writes: writes(operation), ...probe };
}

/**
 * How many of the probes with further values are offered for each collection. With more than 40
 * collections, each gets a smaller share.
 */
export function shareOf(probes: number, { resources }: Contract): number {
  return Math.min(probes, Math.ceil((40 * probes) / resources.length));
}

/** Thrown by a probe that finds nothing to send. The message says why. */
export class NothingToSend extends Error {
  override readonly name = 'NothingToSend';
}

/** All phases in order: those that others depend on come first, those that look back come last. */
export const phases = [
  'inventory',
  'saved',
  'create',
  'values',
  'invalid',
  'get',
  'credential',
  'change',
  'refused-change',
  'remove',
  'look-back',
  'open',
  'generated',
  'list',
  'key-missing',
  'fuzz',
  /** Removes what contains the items of other operations, by its path. */
  'remove-parent',
  'exhaust',
  /** Requests that may break the target for all later ones. */
  'last',
] as const;

export type Phase = (typeof phases)[number];

/** What a probe works with. */
export interface Run {
  readonly contract: Contract;
  readonly session: Session;
  readonly known: KnownItems;
  /** Items that the run did not add may be changed and removed, too. */
  readonly disposable: boolean;
  readonly random: Random;
  /** Begins every text that the run leaves on the target. */
  readonly tag: string;
  /** Returns the tag with a number that no other request has. */
  readonly nextTag: () => string;
}

/** What probes are planned from. */
export interface PlanContext {
  readonly contract: Contract;
  /** The plan of the key, as the user gave it. */
  readonly plan: RatePlan | undefined;
  readonly random: Random;
  /** The wrong keys that can be made from the key; undefined if there is no key. */
  readonly nearMisses: readonly CredentialUse[] | undefined;
}
