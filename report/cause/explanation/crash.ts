import type { Log, Reading } from '../log/reading.ts';
import { isCrash } from '../log/reading.ts';
import { classify, ofShards, type ConditionClass } from '../fact/condition.ts';
import type { CauseOutcome, Condition } from '../codec/fact.ts';
import { formOf } from '../log/response-form.ts';
import { symptomsWithin, type Symptom } from '../log/symptom.ts';
import { failing, type Claim } from '../claim/claim.ts';

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
    for (const { condition, readings, among } of divide(fallen, standing)) {
      const [first] = readings;
      const own = symptomsWithin(symptoms, readings).filter((each) => !claimed.has(each));
      if (first === undefined || own.length === 0) continue;
      for (const each of own) claimed.add(each);
      claims.push({
        kind: 'crash',
        outcome: outcomeOf(first),
        operations: [...new Set(readings.map(({ exchange }) => exchange.request.operation))],
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
 * By what sets them apart from all others; where that is not enough, from those of the others that
 * were sent for the same response.
 */
function divide(fallen: readonly Reading[], standing: readonly Reading[]): readonly Division[] {
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
    ).map((each) => ({ ...each, among: status === undefined ? [] : [dueOf(status)] })),
  );
  const isTold = alike.every(
    ({ condition, readings, among }) =>
      condition !== undefined && readings.length > 1 && among.length > 0,
  );
  const most = isPlain ? classes.length - 1 : classes.length;
  return isTold && alike.length <= most ? alike : plain;
}

function dueOf(status: number): Condition {
  return { kind: 'due', status };
}

function outcomeOf({ response, exchange }: Reading): CauseOutcome {
  if (response !== undefined) return { kind: 'status', status: response.status };
  const reason =
    exchange.outcome.kind === 'no-response' ? exchange.outcome.error.reason : 'unreachable';
  return { kind: 'no-response', reason };
}

/**
 * An item that the run added and that broke the list: every list after it fails or cannot be read, none
 * before it did, and one of each is the same request. In a report that was merged each shard has a list.
 */
export function explainBrokenByItem(symptoms: readonly Symptom[], log: Log): readonly Claim[] {
  return log.contract.resources.flatMap(({ list, create }): readonly Claim[] => {
    const shards = Map.groupBy(log.readings.values(), ({ shard }) => shard);
    const found = [...shards.values()].flatMap((readings) =>
      findBroken(ofOperation(readings, list.id), ofOperation(readings, create?.id ?? '')),
    );
    const broken = found.flatMap((each) => each.broken);
    const own = symptomsWithin(symptoms, broken);
    if (own.length === 0) return [];
    const lastGood = found.map((each) => each.lastGood);
    const added = found.flatMap((each) => each.added);
    const [only, ...more] = added.map(({ exchange }) => exchange.intent);
    return [
      {
        kind: 'broken-by-item',
        outcome: outcomeOfLists(broken, own),
        operations: [list.id],
        among: ofShards(lastGood, log),
        condition: { kind: 'after', exchanges: lastGood.map(({ exchange }) => exchange.index) },
        items: added.map(({ exchange }) => exchange.index),
        ...(only?.kind === 'unspecified' && more.length === 0 ? { received: only.way } : {}),
        symptoms: own,
      },
    ];
  });
}

/** A list that an addition broke. */
interface Broken {
  readonly lastGood: Reading;
  /** Of which one broke it. */
  readonly added: readonly Reading[];
  readonly broken: readonly Reading[];
}

function findBroken(lists: readonly Reading[], creates: readonly Reading[]): readonly Broken[] {
  const first = lists.findIndex(isBroken);
  const [good, broken] = [lists.slice(0, first), lists.slice(first)];
  const lastGood = good.at(-1);
  const firstBroken = broken[0];
  if (lastGood === undefined || firstBroken === undefined || first === -1) return [];
  const targets = new Set(good.filter(isServed).map(targetOf));
  if (!broken.every(isBroken) || !broken.some((each) => targets.has(targetOf(each)))) return [];
  const added = creates.filter(
    (each) =>
      isServed(each) &&
      each.exchange.index > lastGood.exchange.index &&
      each.exchange.index < firstBroken.exchange.index,
  );
  return added.length === 0 ? [] : [{ lastGood, added, broken }];
}

/** The status that all of them have, where it says that the server failed. */
function outcomeOfLists(broken: readonly Reading[], own: readonly Symptom[]): CauseOutcome {
  const [status = 0, ...others] = new Set(broken.map(({ response }) => response?.status ?? 0));
  return status >= 500 && others.length === 0 ? { kind: 'status', status } : failing(own);
}

function ofOperation(readings: readonly Reading[], id: string): readonly Reading[] {
  return readings.filter(({ exchange }) => exchange.request.operation === id);
}

function targetOf({ exchange }: Reading): string {
  return exchange.request.target;
}

function isServed({ response }: Reading): boolean {
  return response !== undefined && response.status < 300;
}

/** It fails, or its body cannot be read. */
function isBroken(reading: Reading): boolean {
  return isCrash(reading) || (isServed(reading) && reading.body === undefined);
}
