import type { Contract } from '../../contract/contract.ts';
import { listRequirements, type Requirement } from '../../conformance/index.ts';
import type { Faults, GeneratedMutant, Workshop } from './layer.ts';
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

/** Every fault of a server that the requirements of a contract speak of. */
export interface GeneratedMutants {
  readonly mutants: readonly GeneratedMutant[];
  /** Requirements without a mutant, each with the reason. */
  readonly missing: readonly { readonly requirement: Requirement; readonly reason: string }[];
}

/** Generates mutants from all requirements of a contract that a server can break. */
export function generateMutants(contract: Contract, workshop: Workshop): GeneratedMutants {
  const demanded = listRequirements(contract).filter(
    (requirement) => requirement.level !== 'open' && canBeBroken(requirement, contract),
  );
  const made = demanded.map((requirement) => ({
    requirement,
    mutants: [...listFaults(requirement, workshop)].map((fault): GeneratedMutant => ({
      requirement,
      ...(isOfLimit(requirement, contract) ? { needs: 'exhaust' } : {}),
      ...fault,
    })),
  }));
  return {
    mutants: made.flatMap(({ mutants }) => mutants),
    missing: made
      .filter(({ mutants }) => mutants.length === 0)
      .map(({ requirement }) => ({ requirement, reason: whyNone(requirement) })),
  };
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
    case 'parameter': {
      const { resources } = workshop.contract;
      const resource = resources.find(({ list }) => list.id === id);
      return yield* breakParameter(subject, operation, resource, workshop);
    }
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

/** It is about the response to a request over the rate limit. */
function isOfLimit({ subject }: Requirement, { rateLimit }: Contract): boolean {
  return 'status' in subject && String(subject.status) === String(rateLimit?.status);
}

function whyNone({ subject }: Requirement): string {
  if (subject.kind === 'body' && subject.part === 'error')
    return 'Ajv confirms no body that breaks it';
  if (subject.kind === 'body') return 'Ajv confirms no value that breaks it and nothing else';
  return 'no fault is known that breaks it';
}
