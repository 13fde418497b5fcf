import type { Contract } from '../../contract/contract.ts';
import type { PetstoreError } from '../../contract/error/petstore-error.ts';
import { Choices } from '../choice/choices.ts';
import { compileMeters } from '../rate-limit/meter.ts';
import type { BanOptions, LimitOptions } from '../rate-limit/plans.ts';
import { compileRouters } from '../operation/router.ts';
import { compileActions } from '../items/actions.ts';
import { type Seed, openCollections } from '../items/seed.ts';
import { ResponseRenderer } from '../operation/response/renderer.ts';

/** Choices for what the document leaves open: question id to choice id. */
export type ChoiceIds = Readonly<Record<string, string>>;

/** What a service is made of, besides choices. */
export interface ServiceParts extends BanOptions {
  readonly contract: Contract;
  readonly seed: Seed | undefined;
  readonly limits: LimitOptions;
  /** Called for items of the seed that do not fit and are left out; by default an error. */
  readonly onUnfitItem?: ((fault: PetstoreError) => void) | undefined;
}

/** A document under one set of choices. Holds nothing that requests change. */
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
    /** The paths that there are at an instant: an operation is gone after its sunset. */
    routerAt: compileRouters(choices, compileActions(collections)),
    /** A meter for a plan, undefined without a key; `limits` go before those of the mock. */
    openMeter: compileMeters(choices, parts),
  };
}
