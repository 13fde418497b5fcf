import type { Contract } from '../../contract/contract.ts';
import { listRequirements, type Requirement } from '../../conformance/index.ts';
import type { Faults, Layer, FaultContext } from './layer.ts';
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

/** A server of a contract with one fault, generated from one requirement. */
export interface GeneratedMutant {
  readonly requirement: Requirement;
  /** What it does wrong, without a full stop. Unique within the requirement. */
  readonly fault: string;
  /**
   * Called once per server, so that it may keep state. Undefined if no fault is known that breaks the
   * requirement: that counts as missed.
   */
  readonly layer: (() => Layer) | undefined;
  /** Only a run that exceeds the rate limit can show it. */
  readonly needsExhaust: boolean;
}

/**
 * Generates mutants from all requirements of a contract that a server can break: at least one for each.
 * After the `deadline`, in milliseconds since 1970, from none.
 */
export function generateMutants(
  contract: Contract,
  context: FaultContext,
  deadline = Infinity,
): readonly GeneratedMutant[] {
  const none = ['no mutant can be made', undefined] as const;
  return listRequirements(contract)
    .filter((each) => each.level !== 'open' && canBeBroken(each, contract))
    .flatMap((requirement) => {
      const faults = Date.now() > deadline ? [] : [...listFaults(requirement, context)];
      const needsExhaust = isOfLimit(requirement, contract);
      return (faults.length === 0 ? [none] : faults).map(([fault, layer]) => ({
        requirement,
        fault,
        layer,
        needsExhaust,
      }));
    });
}

function* listFaults({ subject, operation: id }: Requirement, context: FaultContext): Faults {
  const operation = context.operation(id);
  if (subject.kind === 'rate-limit') return yield* breakRateLimit(subject.facet, context);
  if (subject.kind === 'auth') return yield* breakAuth(subject.facet, operation, context);
  if (subject.kind === 'body' && subject.part === 'error')
    return yield* breakErrors(subject.facet, context);
  if (operation === undefined) return;
  switch (subject.kind) {
    case 'status':
      return yield* breakStatus(subject, operation, context);
    case 'body':
      return yield* breakBody(subject, operation, context);
    case 'header':
      return yield* breakHeader(subject, operation, context);
    case 'request':
      return yield* breakRequest(subject, operation, context);
    case 'parameter':
      return yield* breakParameter(subject, operation, context);
    case 'state':
      return yield* breakState(subject, operation, context);
    case 'concurrency':
      return yield* breakConcurrency(subject.facet, operation, context);
    case 'robustness':
      return yield* breakRobustness(subject.facet, operation, context);
    case 'client':
    case 'open':
  }
}

/**
 * False if no request can address the operation, every error is documented, or the error body does not
 * contain its status.
 */
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

/** Whether a requirement is about requests over the rate limit. */
function isOfLimit({ subject }: Requirement, { rateLimit }: Contract): boolean {
  return subject.kind === 'rate-limit'
    ? ['retry-after', 'exceeded', 'returns'].includes(subject.facet)
    : 'status' in subject && String(subject.status) === String(rateLimit?.status);
}

/** Why no mutant can be generated from a requirement. */
export function whyNone({ subject }: Requirement): string {
  if (subject.kind === 'body' && subject.part === 'error')
    return 'Ajv confirms no body that breaks it';
  if (subject.kind === 'body') return 'Ajv confirms no value that breaks it and nothing else';
  return 'no fault is known that breaks it';
}
