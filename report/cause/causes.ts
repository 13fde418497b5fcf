import type { Contract } from '../../contract/contract.ts';
import {
  listRequirements,
  type Requirement,
  type Exchange,
  type Failure,
  type Report,
  type Verdict,
  headerOf,
  nameShards,
  once,
  operationOf,
} from '../../conformance/index.ts';
import { explainBodies } from './body.ts';
import { holds } from './condition.ts';
import { explainConstants } from './constant.ts';
import { describeFact } from './describe.ts';
import type { CauseFact } from './fact.ts';
import { explainForeign, explainLimit, explainMissingHeaders } from './header.ts';
import { explainItems } from './item.ts';
import {
  explainRest,
  failing,
  isForeign,
  isServed,
  isWriting,
  mediaTypeOf,
  operationsOf,
  readLog,
  readSymptoms,
  type Claim,
  type Log,
  type Reading,
  type Rule,
  type Symptom,
} from './log.ts';
import { explainCrashes, explainStatuses } from './status.ts';
import { explainValues } from './value.ts';

/** Why requirements failed: one thing that is wrong with a target, with all that follows from it. */
export interface Cause {
  /** What is wrong: facts that the log confirms. */
  readonly fact: CauseFact;
  /** The fact in plain English. May quote the target. */
  readonly sentence: string;
  /** The requirement that carries it, then its effects, the worst first. One at least. */
  readonly findings: readonly [CauseFinding, ...CauseFinding[]];
  /** The exchanges of the fact, by index, in the order in which they happened. */
  readonly exchanges: readonly number[];
}

/** The failures of one requirement that a cause explains. */
export interface CauseFinding {
  readonly requirement: Requirement;
  /** One at least. No failure is in two causes. */
  readonly failures: readonly [Failure, ...Failure[]];
}

/** The deepest first: each explains what those before it have left. */
const rules: readonly Rule[] = [
  explainConstants,
  explainMissingHeaders,
  explainCrashes,
  explainForeign,
  explainLimit,
  explainStatuses,
  explainValues,
  explainItems,
  explainBodies,
  explainRest,
];

/**
 * The causes of the failures of a report; in one that was merged, over the logs of all shards. Pure;
 * each file of a report asks for them, and they are found once.
 */
export function causesIn(report: Report, contract: Contract): readonly Cause[] {
  return causesBy(contract)(report);
}

const causesBy = once((contract: Contract) => once((report: Report) => find(report, contract)));

function find({ merge, verdicts, exchanges }: Report, contract: Contract): readonly Cause[] {
  if (merge === undefined) return causesOf(contract, verdicts, exchanges);
  const shards = merge.shards.filter(({ requests }) => requests > 0);
  const starts = shards.map(({ from }) => from);
  return causesOf(contract, verdicts, exchanges, starts).map((cause) => {
    const seen = shards.filter(({ from, requests }) =>
      cause.exchanges.some((index) => index >= from && index < from + requests),
    );
    const names = nameShards(seen.map(({ index }) => index));
    return { ...cause, sentence: `${cause.sentence} Seen in ${names}.` };
  });
}

/**
 * Groups the failures of verdicts by their causes, at both levels, `must` and `should`; waived ones
 * are left out. Each failure is in one cause. Crashes come first, then what writing operations do
 * wrong, then the rest, each in the contract's order. Pure.
 *
 * @param starts as for `readLog`
 */
export function causesOf(
  contract: Contract,
  verdicts: readonly Verdict[],
  exchanges: readonly Exchange[],
  starts: readonly number[] = [],
): readonly Cause[] {
  const log = readLog(contract, exchanges, starts);
  const symptoms = readSymptoms(verdicts, log);
  // What a client does wrong is explained by its rule alone.
  const isOfClient = verdicts.some(({ requirement }) => requirement.subject.kind === 'client');
  let left = symptoms;
  const claims: Claim[] = [];
  for (const explain of isOfClient ? [explainRest] : rules) {
    const found = explain(left, log);
    for (const claim of found) claims.push(claim);
    const claimed = new Set(found.flatMap((each) => each.symptoms));
    left = left.filter((symptom) => !claimed.has(symptom));
  }
  return sortCauses(
    joinRest(claims).map((claim) => composeCause(claim, symptoms, log)),
    contract,
  );
}

/** What nothing explains further of a requirement is one cause, whichever explanation left it. */
function joinRest(claims: readonly Claim[]): readonly Claim[] {
  const groups = Map.groupBy(claims, (claim) =>
    claim.kind === 'requirement' ? claim.symptoms[0]?.requirement : claim,
  );
  return [...groups.values()].flatMap(([first, ...others]) => {
    if (first === undefined || others.length === 0) return first ?? [];
    const joined = [first, ...others].flatMap((each) => each.symptoms);
    return { ...first, outcome: failing(joined), symptoms: joined };
  });
}

/** A cause from what a claim explains: the requirement that leads, then the others in order. */
function composeCause(claim: Claim, symptoms: readonly Symptom[], log: Log): Cause {
  const { symptoms: own, leads, ...said } = claim;
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
  const { operations = operationsOf(own.map(({ reading }) => reading)), among = [] } = claim;
  const scope = [...log.readings.values()].filter(
    (each) =>
      (operations.length === 0 || operations.includes(each.exchange.request.operation)) &&
      among.every((one) => holds(one, each)),
  );
  const { meant = [], others = [] } = Object.groupBy(scope, (each) =>
    claim.condition === undefined || holds(claim.condition, each) ? 'meant' : 'others',
  );
  const failingHere = failingIn(symptoms);
  const isSeen = (each: Reading): boolean => hasOutcome(claim.outcome, each, failingHere, log);
  const fact = {
    ...said,
    operations,
    among,
    of: meant.length,
    others: others.length,
    elsewhere: others.filter(isSeen).length,
  };
  const exchanges = meant.filter(isSeen).map(({ exchange }) => exchange.index);
  return {
    fact,
    sentence: describeFact(fact, exchanges.length, first.requirement.sentence),
    findings: [first, ...effects],
    exchanges,
  };
}

/**
 * Whether an exchange has an outcome.
 *
 * @param failing the requirements that fail in an exchange, by its index
 */
function hasOutcome(
  outcome: CauseFact['outcome'],
  reading: Reading,
  failing: ReadonlyMap<number, ReadonlySet<string>>,
  log: Log,
): boolean {
  const { response, exchange } = reading;
  if (outcome.kind === 'no-response')
    return (
      exchange.outcome.kind === 'no-response' && exchange.outcome.error.reason === outcome.reason
    );
  if (outcome.kind === 'fails') {
    const own = failing.get(exchange.index);
    return outcome.requirements.some((id) => own?.has(id));
  }
  if (response === undefined) return false;
  switch (outcome.kind) {
    case 'status':
      return response.status === outcome.status;
    case 'served':
      return isServed(reading);
    case 'lacks-headers':
      return outcome.names.every((name) => headerOf(response, name) === undefined);
    case 'same-response': {
      const other = log.readings.get(outcome.as)?.response;
      return other?.status === response.status && other.body === response.body;
    }
    case 'foreign':
      return (
        isForeign(reading, log) &&
        mediaTypeOf(response) === outcome.mediaType &&
        (headerOf(response, 'server') ?? '') === outcome.server
      );
  }
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
function sortCauses(causes: readonly Cause[], contract: Contract): readonly Cause[] {
  if (causes.length < 2) return causes;
  const rank = rankRequirements(contract);
  const of = ({ fact: { kind }, findings: [{ requirement }] }: Cause): number =>
    kind.startsWith('constant-') ? -2 : kind === 'crash' ? -1 : rank(requirement);
  return causes.toSorted((one, other) => of(one) - of(other));
}

/** A number that grows with the order: writing operations, then `must`, then the contract's order. */
function rankRequirements(contract: Contract): (requirement: Requirement) => number {
  const places = new Map(listRequirements(contract).map(({ id }, index) => [id, index]));
  const size = listRequirements(contract).length;
  return ({ id, operation, level }) => {
    const isWritten = isWriting(operationOf(contract, operation));
    return (places.get(id) ?? size) + (isWritten ? 0 : 2 * size) + (level === 'must' ? 0 : size);
  };
}
