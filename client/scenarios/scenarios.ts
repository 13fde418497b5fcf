import type { Contract } from '../../contract/contract.ts';
import type { Scenario } from './scenario.ts';
import { responseScenarios } from './responses.ts';
import { failureScenarios } from './failures.ts';
import { itemScenarios } from './items.ts';
import { limitScenarios } from './limits.ts';
import { sunsetScenarios } from './sunset.ts';

const makers = [
  failureScenarios,
  limitScenarios,
  responseScenarios,
  itemScenarios,
  sunsetScenarios,
].flat();

const usual: Omit<Scenario, 'id' | 'sentence'> = {
  needs: { operation: undefined, requests: 1 },
  start: {},
  steps: new Map(),
  alter: undefined,
  mustSucceed: true,
  breaksContract: false,
};

/** All scenarios that can happen under a contract, in a fixed order. */
export function listScenarios(contract: Contract): readonly Scenario[] {
  return makers.flatMap((make) => make(contract) ?? []).map((draft) => ({ ...usual, ...draft }));
}
