import type { Contract, Requirement } from '../../contract/index.ts';
import { operationOf } from '../../conformance/index.ts';
import type { Cause, CauseFinding } from './cause.ts';
import type { Claim } from './claim/claim.ts';
import { holds } from './fact/condition.ts';
import { describeFact } from './fact/describe.ts';
import type { CauseFact } from './codec/fact.ts';
import { hasOutcome } from './fact/outcome.ts';
import { isWriting, type Log, type Reading } from './log/reading.ts';
import type { Symptom } from './log/symptom.ts';

/** A cause from what a claim explains: the requirement that leads, then the others in order. */
export function composeCause(claim: Claim, symptoms: readonly Symptom[], log: Log): Cause {
  const { symptoms: own, leads } = claim;
  const rank = rankRequirements(log.contract);
  const sorted = own.toSorted(
    (one, other) =>
      Number(other.requirement.level === 'must') - Number(one.requirement.level === 'must') ||
      Number(leads?.(other) ?? false) - Number(leads?.(one) ?? false) ||
      rank(one.requirement) - rank(other.requirement),
  );
  const findings = [...Map.groupBy(sorted, ({ requirement }) => requirement)].flatMap(
    ([requirement, some]) => toFinding(requirement, some),
  );
  const [first, ...effects] = findings;
  if (first === undefined) throw new RangeError('a cause explains one failure at least');
  const { fact, exchanges } = measure(claim, symptoms, log);
  return {
    fact,
    sentence: describeFact(fact, exchanges.length, first.requirement.sentence),
    findings: [first, ...effects],
    exchanges,
  };
}

/** What a claim says, with the numbers of the log. */
function measure(
  claim: Claim,
  symptoms: readonly Symptom[],
  log: Log,
): { readonly fact: CauseFact; readonly exchanges: readonly number[] } {
  const {
    kind,
    outcome,
    among = [],
    condition,
    form,
    alteration,
    items,
    expected,
    received,
  } = claim;
  const operations = claim.operations ?? [
    ...new Set(claim.symptoms.map(({ reading }) => reading.exchange.request.operation)),
  ];
  const failing = failingIn(symptoms);
  const scope = [...log.readings.values()].filter(
    (each) =>
      (operations.length === 0 || operations.includes(each.exchange.request.operation)) &&
      among.every((one) => holds(one, each, log)),
  );
  const { meant = [], others = [] } = Object.groupBy(scope, (each) =>
    condition === undefined || holds(condition, each, log) ? 'meant' : 'others',
  );
  const isSeen = (each: Reading): boolean => hasOutcome(outcome, each, failing, log);
  return {
    fact: {
      kind,
      operations,
      among,
      outcome,
      of: meant.length,
      others: others.length,
      elsewhere: others.filter(isSeen).length,
      ...(condition === undefined ? {} : { condition }),
      ...(form === undefined ? {} : { form }),
      ...(alteration === undefined ? {} : { alteration }),
      ...(items === undefined ? {} : { items }),
      ...(expected === undefined ? {} : { expected }),
      ...(received === undefined ? {} : { received }),
    },
    exchanges: meant.filter(isSeen).map(({ exchange }) => exchange.index),
  };
}

/** The requirements that fail in each exchange, as they were found first. */
function failingIn(symptoms: readonly Symptom[]): ReadonlyMap<number, ReadonlySet<string>> {
  const failing = new Map<number, Set<string>>();
  for (const { requirement, reading } of symptoms) {
    const { index } = reading.exchange;
    failing.set(index, (failing.get(index) ?? new Set()).add(requirement.id));
  }
  return failing;
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
  const of = ({ fact: { kind }, findings: [{ requirement }] }: Cause): number =>
    kind.startsWith('constant-')
      ? -2
      : ['crash', 'broken-by-item'].includes(kind)
        ? -1
        : rank(requirement);
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
