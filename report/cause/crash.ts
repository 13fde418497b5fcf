import { classify, type ConditionClass } from './condition.ts';
import type { CauseOutcome, Condition } from './fact.ts';
import { formOf, isCrash, isServed, isWriting, operationsOf } from './reading.ts';
import type { Log, Reading } from './reading.ts';
import { symptomsWithin, type Claim, type Symptom } from './symptom.ts';

/** Requests that got no response or a 5xx, by what came back and what they have in common. */
export function explainCrashes(symptoms: readonly Symptom[], log: Log): readonly Claim[] {
  const all = [...log.readings.values()];
  const groups = Map.groupBy(all.filter(isCrash), (each) => JSON.stringify(outcomeOf(each)));
  const claims: Claim[] = [];
  const claimed = new Set<Symptom>();
  for (const fallen of groups.values()) {
    const operations = new Set(fallen.map(({ operation }) => operation));
    const within = new Set(fallen);
    const standing = all.filter((each) => operations.has(each.operation) && !within.has(each));
    for (const { condition, readings, among } of divide(fallen, standing, log)) {
      const [first] = readings;
      const own = symptomsWithin(symptoms, readings).filter((each) => !claimed.has(each));
      if (first === undefined || own.length === 0) continue;
      for (const each of own) claimed.add(each);
      claims.push({
        kind: 'crash',
        outcome: outcomeOf(first),
        operations: operationsOf(readings),
        among,
        condition,
        ...(first.response === undefined ? {} : { form: formOf(first) }),
        symptoms: own,
      });
    }
  }
  return claims;
}

interface Division extends ConditionClass {
  readonly among: readonly Condition[];
}

/**
 * By the addition after which all fail; else by what sets them apart from all others; where that is
 * not enough, from those of the others that were sent for the same response.
 */
function divide(
  fallen: readonly Reading[],
  standing: readonly Reading[],
  log: Log,
): readonly Division[] {
  const after = findBreaking(fallen, standing, log);
  if (after !== undefined) return [{ condition: after, readings: fallen, among: [] }];
  const classes = classify(fallen, standing);
  const plain = classes.map((each) => ({ ...each, among: [] }));
  if (classes.length === 1 && classes[0]?.condition !== undefined) return plain;
  const isPlain = classes.every(
    ({ condition, readings }) => condition !== undefined || readings.length < 2,
  );
  const alike = [...Map.groupBy(fallen, ({ expected }) => expected)].flatMap(([status, some]) =>
    classify(
      some,
      standing.filter(({ expected }) => expected === status),
    ).map((each) => ({
      ...each,
      among: status === undefined ? [] : [{ kind: 'due' as const, status }],
    })),
  );
  const isTold = alike.every(
    ({ condition, readings, among }) =>
      condition !== undefined && readings.length > 1 && among.length > 0,
  );
  const most = isPlain ? classes.length - 1 : classes.length;
  return isTold && alike.length <= most ? alike : plain;
}

/**
 * The one addition between the last request that was served and the first that failed, where the same
 * request was served before. Shards have items of their own: nothing is said of them.
 */
function findBreaking(
  fallen: readonly Reading[],
  standing: readonly Reading[],
  { readings, isSplit }: Log,
): Condition | undefined {
  const [first] = fallen;
  const last = standing.at(-1);
  if (isSplit || first === undefined || last === undefined) return undefined;
  if (isWriting(first.operation) || last.exchange.index > first.exchange.index) return undefined;
  const served = new Set(standing.filter(isServed).map(targetOf));
  const added = [...readings.values()].filter(
    (each) =>
      isWriting(each.operation) &&
      isServed(each) &&
      each.exchange.index > last.exchange.index &&
      each.exchange.index < first.exchange.index,
  );
  const [only, ...more] = added;
  const isSame = fallen.some((each) => served.has(targetOf(each)));
  return only === undefined || more.length > 0 || !isSame
    ? undefined
    : { kind: 'after', exchange: only.exchange.index };
}

function targetOf({ exchange: { request } }: Reading): string {
  return `${request.operation} ${request.target}`;
}

function outcomeOf({ response, exchange }: Reading): CauseOutcome {
  if (response !== undefined) return { kind: 'status', status: response.status };
  const reason =
    exchange.outcome.kind === 'no-response' ? exchange.outcome.error.reason : 'unreachable';
  return { kind: 'no-response', reason };
}
