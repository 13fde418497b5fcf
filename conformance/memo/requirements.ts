import type { Contract } from '../../contract/contract.ts';
import type { Requirement } from '../../contract/requirement/requirement.ts';
import { once } from './once.ts';

/** The requirements of each operation. */
export const requirementsByOperation = once(
  ({ requirements }: Contract): ReadonlyMap<string, readonly Requirement[]> =>
    Map.groupBy(requirements, ({ operation }) => operation),
);
