import type { Contract, Requirement } from '../../contract/index.ts';
import { operationOf } from '../../conformance/index.ts';
import type { Cause, CauseFinding } from './cause.ts';
import type { Claim } from './claim/claim.ts';
import { isWriting, type Log } from './log/reading.ts';
import { readingsOf, type Symptom } from './log/symptom.ts';

/** A cause from what a claim explains: the requirement that leads, then the others in order. */
export function composeCause({ kind, sentence, symptoms, counted, leads }: Claim, log: Log): Cause {
  const rank = rankRequirements(log.contract);
  const sorted = symptoms.toSorted(
    (one, other) =>
      Number(other.requirement.level === 'must') - Number(one.requirement.level === 'must') ||
      Number(leads?.(other) ?? false) - Number(leads?.(one) ?? false) ||
      rank(one.requirement) - rank(other.requirement),
  );
  const findings = [...Map.groupBy(sorted, ({ requirement }) => requirement)].flatMap(
    ([requirement, own]) => toFinding(requirement, own),
  );
  const [first, ...effects] = findings;
  if (first === undefined) throw new RangeError('a cause explains one failure at least');
  const exchanges = [
    ...new Set((counted ?? readingsOf(symptoms)).map(({ exchange }) => exchange.index)),
  ].toSorted((one, other) => one - other);
  return { kind, sentence, findings: [first, ...effects], exchanges };
}

function toFinding(
  requirement: Requirement,
  symptoms: readonly Symptom[],
): readonly CauseFinding[] {
  const [first, ...rest] = symptoms.map(({ failure }) => failure);
  return first === undefined ? [] : [{ requirement, failures: [first, ...rest] }];
}

/** What is of the whole service and crashes first, then what is done wrong where something is written, then the rest. */
export function sortCauses(causes: readonly Cause[], contract: Contract): readonly Cause[] {
  const rank = rankRequirements(contract);
  const of = ({ kind, findings: [{ requirement }] }: Cause): number =>
    kind === 'constant-response' ? -2 : kind === 'crash' ? -1 : rank(requirement);
  return causes.toSorted((one, other) => of(one) - of(other));
}

/** A number that grows with the order: writing operations, then `must`, then the contract's order. */
function rankRequirements(contract: Contract): (requirement: Requirement) => number {
  const places = new Map(contract.requirements.map(({ id }, index) => [id, index]));
  const size = contract.requirements.length;
  return ({ id, operation, level }) => {
    const isWritten = isWriting(operationOf(contract, operation));
    return (places.get(id) ?? size) + (isWritten ? 0 : 2 * size) + (level === 'must' ? 0 : size);
  };
}
