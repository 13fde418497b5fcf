import { classify, keyOf, type ConditionClass } from './condition.ts';
import { listWords } from './describe.ts';
import type { Condition } from './fact.ts';
import { formFault } from './body.ts';
import type { CredentialUse } from '../../conformance/index.ts';
import {
  explainRest,
  failing,
  formOf,
  isAsExpected,
  isCrash,
  isServed,
  isWriting,
  isWrongStatus,
  operationsOf,
  outcomeOf,
  readingsOf,
  type Claim,
  type Log,
  type Reading,
  type Symptom,
} from './log.ts';

/** Requests that got no response or a 5xx, by what came back and what they have in common. */
export function explainCrashes(symptoms: readonly Symptom[], log: Log): readonly Claim[] {
  const all = [...log.readings.values()];
  const groups = Map.groupBy(all.filter(isCrash), (each) => JSON.stringify(outcomeOf(each)));
  // What the headers of the rate limit show elsewhere too is not of the crash.
  const elsewhere = new Set(
    symptoms
      .filter(({ reading, requirement: { subject } }) => {
        const isQuota = subject.kind === 'rate-limit' && subject.facet !== 'exceeded';
        return isQuota && !isCrash(reading);
      })
      .map(({ requirement }) => requirement),
  );
  return [...groups.values()].flatMap((fallen) =>
    divide(fallen, log).flatMap(({ readings, ...division }): readonly Claim[] => {
      const own = symptoms.filter(
        ({ reading, requirement }) => readings.includes(reading) && !elsewhere.has(requirement),
      );
      const [first] = readings;
      if (first === undefined || own.length === 0) return [];
      const form = first.response && formOf(first);
      const operations = operationsOf(readings);
      const outcome = outcomeOf(first);
      return [{ kind: 'crash', outcome, operations, ...division, form, symptoms: own }];
    }),
  );
}

interface Division extends ConditionClass {
  readonly among: readonly Condition[];
}

/**
 * By the addition after which all fail; else by what sets them apart from all others, or from the others
 * for which the same status is due. What nothing sets apart is divided by operation, unless it is in many.
 */
function divide(fallen: readonly Reading[], log: Log): readonly Division[] {
  const standing = [...log.readings.values()].filter(
    (each) => !fallen.includes(each) && fallen.some((one) => one.operation === each.operation),
  );
  const after = findBreaking(fallen, standing, log);
  if (after !== undefined) return [{ condition: after, readings: fallen, among: [] }];
  const classesBy = (partOf: (reading: Reading) => unknown): readonly ConditionClass[] =>
    [...Map.groupBy(fallen, partOf)].flatMap(([part, some]) =>
      classify(
        some,
        standing.filter((each) => partOf(each) === part),
      ),
    );
  const plain = classesBy(() => undefined);
  const isPlain = plain.every(({ condition }) => condition !== undefined);
  const byDue = classesBy(({ expected }) => expected);
  const isSetApart = byDue.every(
    ({ condition, readings }) =>
      condition !== undefined && readings.length > 1 && readings[0]?.expected !== undefined,
  );
  if (isSetApart && byDue.length < plain.length + (isPlain ? 0 : 1))
    return byDue.map((each) => ({
      ...each,
      among: [{ kind: 'due', status: each.readings[0]?.expected ?? 0 }],
    }));
  if (isPlain || standing.length === 0) return plain.map((each) => ({ ...each, among: [] }));
  const byOperation = classesBy(({ operation }) => operation);
  const unsaid = byOperation.filter((each) => !isSaid(each)).flatMap(({ readings }) => readings);
  const isIntermittent =
    byOperation.some(({ condition }) => condition === undefined) &&
    operationsOf(unsaid).length >= fewestIntermittent;
  const groups = Map.groupBy(byOperation, (each) => {
    if (isIntermittent && !isSaid(each)) return undefined;
    const { condition, readings } = each;
    return condition === undefined ? readings[0]?.operation : keyOf(condition);
  });
  return [...groups.values()].map((some) => ({
    condition: isIntermittent && !some.every(isSaid) ? undefined : some[0]?.condition,
    readings: some.flatMap(({ readings }) => readings),
    among: [],
  }));
}

/** Whether something sets failures apart: what sets a single request apart may be chance. */
function isSaid({ condition, readings }: ConditionClass): boolean {
  return condition !== undefined && readings.length > 1;
}

/** A target that fails in so many operations, and nothing sets its failures apart, fails now and then. */
const fewestIntermittent = 3;

/**
 * The one addition between the last request that was served and the first that failed, where the same
 * request was served before. Shards have items of their own: nothing is said of them.
 */
function findBreaking(
  fallen: readonly Reading[],
  standing: readonly Reading[],
  { answered, isSplit }: Log,
): Condition | undefined {
  const first = fallen[0]?.exchange.index ?? 0;
  const last = standing.at(-1)?.exchange.index ?? first;
  if (isSplit || isWriting(fallen[0]?.operation) || last >= first) return undefined;
  const served = new Set(standing.filter(isServed).map(targetOf));
  const [only, ...more] = answered.filter(
    (each) =>
      isWriting(each.operation) &&
      isServed(each) &&
      each.exchange.index > last &&
      each.exchange.index < first,
  );
  const isSame = fallen.some((each) => served.has(targetOf(each)));
  return only === undefined || more.length > 0 || !isSame
    ? undefined
    : { kind: 'after', exchange: only.exchange.index };
}

function targetOf({ exchange: { request } }: Reading): string {
  return `${request.operation} ${request.target}`;
}

/** Responses of another status than was due, and the bodies that come with them. */
export function explainStatuses(symptoms: readonly Symptom[], log: Log): readonly Claim[] {
  const groups = Map.groupBy(symptoms.filter(isWrongStatus), ({ reading, requirement }) =>
    JSON.stringify([reading.expected, outcomeOf(reading), requirement.subject.kind === 'auth']),
  );
  const claims = [...groups.values()].flatMap((group) => {
    const operations = new Set(group.map(({ reading }) => reading.operation));
    /** Every request of the same operations for which the same status is due. */
    const due = [...log.readings.values()].filter(
      (each) => each.expected === group[0]?.reading.expected && operations.has(each.operation),
    );
    return explainChange(group, due);
  });
  return withShown(withBodies(claims, symptoms), symptoms);
}

/** Responses of one status where another one was due. */
function explainChange(group: readonly Symptom[], due: readonly Reading[]): readonly Claim[] {
  const [first] = group;
  if (first === undefined) return [];
  if (first.requirement.subject.kind === 'auth') return explainKeys(group, due);
  const { expected = 0, response } = first.reading;
  const status = response?.status ?? 0;
  const isNeverRight = due.length > 1 && !due.some(isAsExpected);
  if (isNeverRight || (expected >= 400 && status >= 400)) return [claim('wrong-status', group)];
  if (expected < 300 && status >= 300) return explainRefusals(group, due);
  const typed = group.filter(
    ({ requirement: { subject } }) => subject.kind === 'request' && subject.facet === 'type',
  );
  const isKind = new Set(typed.map(({ requirement }) => requirement.id)).size > 1;
  const rest = isKind ? group.filter((each) => !typed.includes(each)) : group;
  return [...(isKind ? [claimType(typed)] : []), ...explainRest(rest)];
}

/** Requests whose key is not refused as it has to be; operations that judge one key differently have two causes. */
function explainKeys(group: readonly Symptom[], due: readonly Reading[]): readonly Claim[] {
  const parts: {
    wrong: Set<CredentialUse>;
    right: Set<CredentialUse>;
    operations: Set<unknown>;
  }[] = [];
  for (const [operation, own] of Map.groupBy(group, ({ reading }) => reading.operation)) {
    const wrong = new Set(own.map(({ reading }) => useOf(reading)));
    const sound = due.filter((each) => each.operation === operation && isAsExpected(each));
    const right = new Set(sound.map(useOf)).difference(wrong);
    const part = parts.find(
      (each) => each.wrong.isDisjointFrom(right) && each.right.isDisjointFrom(wrong),
    );
    if (part === undefined) parts.push({ wrong, right, operations: new Set([operation]) });
    else {
      part.wrong = part.wrong.union(wrong);
      part.right = part.right.union(right);
      part.operations.add(operation);
    }
  }
  return parts.map(({ operations }) => {
    const own = group.filter(({ reading }) => operations.has(reading.operation));
    const uses = new Set(own.map(({ reading }) => reading.exchange.request.credential));
    const others = due.filter((each) => operations.has(each.operation) && !uses.has(useOf(each)));
    const outcome = own[0] && JSON.stringify(outcomeOf(own[0].reading));
    const isSetApart =
      others.length > 0 && others.every((each) => JSON.stringify(outcomeOf(each)) !== outcome);
    return claim(
      'unchecked-key',
      own,
      isSetApart ? { kind: 'credential', uses: [...uses] } : undefined,
    );
  });
}

function useOf({ exchange }: Reading): CredentialUse {
  return exchange.request.credential;
}

function claim(kind: Claim['kind'], symptoms: readonly Symptom[], condition?: Condition): Claim {
  const [first] = symptoms;
  return {
    kind,
    outcome: first === undefined ? failing([]) : outcomeOf(first.reading),
    among: [{ kind: 'due', status: first?.reading.expected ?? 0 }],
    condition,
    symptoms,
  };
}

/** Valid requests that were refused, by what they have in common. */
function explainRefusals(group: readonly Symptom[], due: readonly Reading[]): readonly Claim[] {
  return classify(readingsOf(group), due.filter(isAsExpected)).flatMap(
    ({ condition, readings }) => {
      const own = group.filter(({ reading }) => readings.includes(reading));
      return condition !== undefined && readings.length > 1
        ? [claim('refused-request', own, condition)]
        : explainRest(own);
    },
  );
}

/** Values of a wrong type that were accepted. */
function claimType(group: readonly Symptom[]): Claim {
  const members = group.map(({ requirement: { subject } }) =>
    subject.kind === 'request' ? `\`${subject.path.join('.')}\`` : '',
  );
  return {
    kind: 'wrong-type',
    outcome: failing(group),
    received: listWords(members),
    symptoms: group,
  };
}

/**
 * Claims on statuses, each with the faults of bodies that come with them: those of its own responses and
 * of no others, or of responses only that had to be the refusals of which it says that they were served.
 */
function withBodies(claims: readonly Claim[], symptoms: readonly Symptom[]): readonly Claim[] {
  let faults = [...Map.groupBy(symptoms, formFault)].flatMap(([fault, own]) =>
    fault === undefined ? [] : [own],
  );
  return claims.map((each) => {
    const readings = new Set(readingsOf(each.symptoms));
    const operations = new Set([...readings].map(({ operation }) => operation));
    const due = new Set([...readings].map(({ expected }) => expected));
    const isEffect = (reading: Reading): boolean =>
      readings.has(reading) ||
      (each.outcome.kind === 'served' &&
        outcomeOf(reading).kind === 'served' &&
        operations.has(reading.operation) &&
        due.has(reading.expected));
    const own = faults.filter((fault) => fault.every(({ reading }) => isEffect(reading)));
    faults = faults.filter((fault) => !own.includes(fault));
    return {
      ...each,
      operations: operationsOf(each.symptoms.map(({ reading }) => reading)),
      symptoms: [...each.symptoms, ...own.flat()],
      leads: (symptom) => each.symptoms.includes(symptom),
    };
  });
}

/** Claims with what follows from them: bodies that show a wrong value that was accepted. */
function withShown(claims: readonly Claim[], symptoms: readonly Symptom[]): readonly Claim[] {
  const claimed = new Set(claims.flatMap((each) => each.symptoms));
  return claims.map((each) => {
    const ids = new Set(each.symptoms.map(({ requirement }) => requirement.id));
    const shown = symptoms.filter(
      (one) =>
        one.because !== undefined &&
        ids.has(one.because) &&
        one.requirement.subject.kind === 'body' &&
        !claimed.has(one),
    );
    for (const one of shown) claimed.add(one);
    return { ...each, symptoms: [...each.symptoms, ...shown] };
  });
}
