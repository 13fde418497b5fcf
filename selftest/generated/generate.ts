import type { Contract } from '../../contract/contract.ts';
import { listRequirements, type Requirement } from '../../conformance/index.ts';
import type { Faults, Layer, Workshop } from './layer.ts';
import { breakAuth, breakParameter, breakRequest } from './request.ts';
import {
  breakBody,
  breakErrors,
  breakHeader,
  breakRateLimit,
  breakRobustness,
  breakStatus,
  findUnlisted,
} from './response.ts';
import { breakConcurrency, breakState } from './state.ts';

/** A server of a contract with one fault, made from one requirement. */
export interface GeneratedMutant {
  readonly requirement: Requirement;
  /** What it does wrong, without a full stop: unique within the requirement. */
  readonly fault: string;
  /** Called once for each server, so that it may keep a state. */
  readonly layer: () => Layer;
  /** Only a run that drives to the rate limit can show it. */
  readonly needsExhaust: boolean;
}

/** Every fault of a server that the requirements of a contract speak of. */
export interface GeneratedMutants {
  readonly mutants: readonly GeneratedMutant[];
  /** Requirements without a mutant, each with the reason. */
  readonly missing: readonly { readonly requirement: Requirement; readonly reason: string }[];
}

/** Generates mutants from all requirements of a contract that a server can break. */
export function generateMutants(contract: Contract, workshop: Workshop): GeneratedMutants {
  const mutants: GeneratedMutant[] = [];
  const missing: GeneratedMutants['missing'][number][] = [];
  for (const requirement of listRequirements(contract)) {
    if (requirement.level === 'open' || !canBeBroken(requirement, contract)) continue;
    const faults = [...listFaults(requirement, workshop)];
    const needsExhaust = isOfLimit(requirement, contract);
    for (const [fault, layer] of faults) mutants.push({ requirement, fault, layer, needsExhaust });
    if (faults.length === 0) missing.push({ requirement, reason: whyNone(requirement) });
  }
  return { mutants, missing };
}

function* listFaults({ subject, operation: id }: Requirement, workshop: Workshop): Faults {
  const operation = workshop.operation(id);
  if (subject.kind === 'rate-limit') return yield* breakRateLimit(subject.facet, workshop);
  if (subject.kind === 'auth') return yield* breakAuth(subject.facet, operation, workshop);
  if (subject.kind === 'body' && subject.part === 'error')
    return yield* breakErrors(subject.facet, workshop);
  if (operation === undefined) return;
  switch (subject.kind) {
    case 'status':
      return yield* breakStatus(subject, operation, workshop);
    case 'body':
      return yield* breakBody(subject, operation, workshop);
    case 'header':
      return yield* breakHeader(subject, operation, workshop);
    case 'request':
      return yield* breakRequest(subject, operation, workshop);
    case 'parameter':
      return yield* breakParameter(subject, operation, workshop);
    case 'state':
      return yield* breakState(subject, operation, workshop);
    case 'concurrency':
      return yield* breakConcurrency(subject.facet, operation, workshop);
    case 'robustness':
      return yield* breakRobustness(subject.facet, operation, workshop);
    case 'client':
    case 'open':
  }
}

/** False where no request means the operation, every error is described, or none has its status in it. */
function canBeBroken(
  { subject, operation: id }: Requirement,
  { operations, error }: Contract,
): boolean {
  if (subject.kind === 'body' && subject.part === 'error' && subject.facet !== 'listed') {
    const isStated = error?.members.some(({ role }) => role === 'status') === true;
    return (
      operations.some((each) => findUnlisted(each) !== undefined) &&
      (subject.facet === 'shape' || isStated)
    );
  }
  return operations.find((each) => each.id === id)?.isAddressable !== false;
}

/** It is about requests over the rate limit. */
function isOfLimit({ subject }: Requirement, { rateLimit }: Contract): boolean {
  return subject.kind === 'rate-limit'
    ? ['retry-after', 'exceeded', 'returns'].includes(subject.facet)
    : 'status' in subject && String(subject.status) === String(rateLimit?.status);
}

function whyNone({ subject }: Requirement): string {
  if (subject.kind === 'body' && subject.part === 'error')
    return 'Ajv confirms no body that breaks it';
  if (subject.kind === 'body') return 'Ajv confirms no value that breaks it and nothing else';
  return 'no fault is known that breaks it';
}
