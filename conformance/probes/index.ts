import type { PlanContext, Probe } from './probe.ts';
import { listInvalidProbes } from './invalid.ts';
import { listChangeProbes } from './change.ts';
import { listCreateProbes } from './create.ts';
import { listCredentialProbes } from './credential.ts';
import { listGeneratedProbes } from './generated.ts';
import { listGetProbes } from './get.ts';
import { listInventoryProbes } from './inventory.ts';
import { listListProbes } from './list.ts';
import { listOpenProbes } from './open.ts';

/** Every probe that a contract allows, in no order; the plan chooses from them. */
export function listProbes(context: PlanContext): readonly Probe[] {
  return [
    listInventoryProbes,
    listCreateProbes,
    listInvalidProbes,
    listGetProbes,
    listCredentialProbes,
    listChangeProbes,
    listOpenProbes,
    listListProbes,
    listGeneratedProbes,
  ].flatMap((list) => list(context));
}
