import type { Contract } from '../../contract/contract.ts';
import type { PetstoreError } from '../../contract/error/petstore-error.ts';
import { Choices } from '../choice/choices.ts';
import { type BanOptions, type LimitOptions, compileMeters } from '../rate-limit/plans.ts';
import { compileRouters } from '../operation/router.ts';
import { compileAction } from '../items/actions.ts';
import { type Seed, openCollections } from '../items/seed.ts';
import { ResponseRenderer } from '../operation/response/renderer.ts';

/** Choices for open questions: question id to choice id. */
export type ChoiceIds = Readonly<Record<string, string>>;

/** What a service is made of, besides choices. */
export interface ServiceParts extends BanOptions {
  readonly contract: Contract;
  readonly seed: Seed | undefined;
  readonly limits: LimitOptions;
  /** Called for items of the seed that do not fit and are left out. Default: an error is thrown. */
  readonly onUnfitItem?: ((fault: PetstoreError) => void) | undefined;
}

/** A compiled document with one set of choices. Requests do not change it. */
export type Service = ReturnType<typeof compileService>;

/** Compiles a service. Throws `PetstoreError`. */
export function compileService(parts: ServiceParts, ids: ChoiceIds) {
  const { contract, seed } = parts;
  const choices = new Choices(contract, ids);
  const collections = openCollections(choices, seed, parts.onUnfitItem);
  return {
    contract,
    choices,
    collections,
    responseRenderer: new ResponseRenderer(contract, choices),
    /** All keys of a sandbox are one caller. */
    sharesCounts: choices.choose('plan-assignment').id === 'shared',
    /** Callers without a valid key are counted by their address. */
    countsByAddress: choices.choose('anonymous-callers').id === 'by-address',
    /** Some keys may only read. */
    scopesKeys: choices.choose('key-issuance').id === 'scoped',
    /** The router at a time: operations are removed after their sunset. */
    routerAt: compileRouters(choices, (operation) => compileAction(collections, operation)),
    /** A meter for a plan, undefined without a key; `own` limits override those of the mock. */
    openMeter: compileMeters(choices, parts),
  };
}
