import type { Contract } from '../../contract/contract.ts';
import type { Operation } from '../../contract/openapi/operation.ts';
import type { RatePlan } from '../../contract/openapi/rate-limit.ts';
import type { CredentialUse } from '../transport/exchange.ts';
import type { KnownItems } from './known-items.ts';
import type { Random } from '../generate/random.ts';
import type { Session } from '../transport/session.ts';
import { writes } from '../transport/target.ts';

/**
 * A probe: a few requests that can prove or break some requirements. Probes are planned before the
 * first request; what they find is judged afterwards, from the exchanges alone.
 */
export interface Probe {
  /** `createPet/invalid: name is missing`: stable within a contract. */
  readonly id: string;
  readonly phase: Phase;
  /** 1: wanted first when the budget is short. */
  readonly rank: number;
  /** Requests that it takes as a rule. */
  readonly requests: number;
  /** Requests that are kept back to remove what it adds. Default 0. */
  readonly leaves?: number;
  /** Sends requests that may add or change items. */
  readonly writes: boolean;
  /** Requirements that it can prove. */
  readonly proves: readonly string[];
  /** What it proves needs all the probes that prove it. */
  readonly isPart?: boolean;
  readonly run: (run: Run) => Promise<unknown>;
}

/** A probe of an operation: wanted first, of one request, unless it is said. */
export function createProbe(
  operation: Pick<Operation, 'id' | 'method'>,
  name: string,
  probe: Pick<Probe, 'phase' | 'proves' | 'run'> & Partial<Probe>,
): Probe {
  const id = `${operation.id}/${name}`;
  return { id, rank: 1, requests: 1, writes: writes(operation), ...probe };
}

/**
 * How many of the probes that test a collection further, with other values, a plan is offered for each
 * collection: of many collections, no more than of forty.
 */
export function shareOf(probes: number, { resources }: Contract): number {
  return Math.min(probes, Math.ceil((40 * probes) / resources.length));
}

/** Thrown by a probe that finds out that it has nothing to send: why. */
export class NothingToSend extends Error {
  override readonly name = 'NothingToSend';
}

/** All phases in order: what others need to know comes first, what looks back comes last. */
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
  'exhaust',
  /** What may break the target for every request after it. */
  'last',
] as const;

export type Phase = (typeof phases)[number];

/** What a probe works with. */
export interface Run {
  readonly contract: Contract;
  readonly session: Session;
  readonly known: KnownItems;
  /** Items that the run did not add may be changed and removed as well. */
  readonly disposable: boolean;
  readonly random: Random;
  /** Begins every text that the run leaves on the target. */
  readonly tag: string;
  /** The tag with a number that no other request has. */
  readonly nextTag: () => string;
}

/** What probes are planned from. */
export interface PlanContext {
  readonly contract: Contract;
  /** The plan of the key, as the user gave it. */
  readonly plan: RatePlan | undefined;
  readonly random: Random;
  /** The wrong keys that can be made from the key; undefined where there is no key. */
  readonly nearMisses: readonly CredentialUse[] | undefined;
}
