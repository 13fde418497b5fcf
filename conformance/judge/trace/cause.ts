import { isJsonObject } from '../../../contract/json/value.ts';
import { requirementId } from '../../../contract/requirement/requirement.ts';
import type { Contract } from '../../../contract/contract.ts';
import { additionsOf } from './addition.ts';
import { isUntouched } from './change.ts';
import { isSame } from './item.ts';
import { causeOfMissing, removalOfOther } from './missing-item.ts';
import {
  idOf,
  itemResourceOf,
  itemsOf,
  pathIdOf,
  queryOf,
  resourceOf,
  successId,
  type Reading,
  type Trace,
} from './trace.ts';

/**
 * The id of the requirement that a refused valid request breaks: of what it exercised, what was
 * served in no request and explains most refusals, if requests without it were served; else the
 * operation's status, as for another success status or a key that is suddenly unknown.
 */
export function findCause(reading: Reading, trace: Trace): string {
  const { operation, response, exchange } = reading;
  const status = successId(operation);
  if (response.status < 300 || response.status === 401) return status;
  const lost = findLostAddition(reading, trace);
  if (lost !== undefined) return lost;
  const valid = trace.readings.filter(
    (each) => each.operation.id === operation.id && each.exchange.intent.kind === 'valid',
  );
  const suspects = listSuspects(reading, valid, trace.contract);
  const [most] = suspects.toSorted(
    (a, b) =>
      b.refused - a.refused || Number(isOptional(b.id, trace)) - Number(isOptional(a.id, trace)),
  );
  if (most !== undefined) return most.id;
  const isRace =
    valid.some(({ succeeded }) => succeeded) &&
    exchange.group !== undefined &&
    resourceOf(trace.contract, operation)?.create?.id === operation.id;
  return isRace ? requirementId.concurrency(operation.id, 'stored') : status;
}

/**
 * Whether a requirement that something is accepted is not shown by other requests, since this one
 * was refused with a value that none was served with.
 */
export function isUnshown(id: string, reading: Reading, trace: Trace): boolean {
  const kind = trace.contract.requirementOf(id)?.subject.kind;
  if (kind !== 'request' && kind !== 'parameter') return false;
  return !trace.readings.some(
    (each) =>
      each.succeeded &&
      each.operation.id === reading.operation.id &&
      exercisesOf(each).includes(id) &&
      isSameCase(id, each, reading, trace.contract),
  );
}

/** What is left out explains a refusal better than what is there. */
function isOptional(id: string, { contract }: Trace): boolean {
  const subject = contract.requirementOf(id)?.subject;
  return subject?.kind === 'request' && subject.facet === 'optional';
}

/** What a refused request exercised and no served one did, with the number of refusals. */
function listSuspects(
  reading: Reading,
  valid: readonly Reading[],
  contract: Contract,
): readonly { readonly id: string; readonly refused: number }[] {
  const first = valid.find((each) => !each.succeeded)?.exchange.index ?? 0;
  return exercisesOf(reading).flatMap((id) => {
    const alike = valid.filter(
      (each) => exercisesOf(each).includes(id) && isSameCase(id, each, reading, contract),
    );
    const kind = contract.requirementOf(id)?.subject.kind;
    const from = kind === 'state' || kind === 'concurrency' ? -1 : first;
    const isCause =
      !alike.some(({ succeeded }) => succeeded) &&
      valid.some((each) => each.succeeded && each.exchange.index > from && !alike.includes(each));
    return isCause ? [{ id, refused: alike.length }] : [];
  });
}

/** Whether two requests test a requirement alike: same value of its parameter, member or item. */
function isSameCase(id: string, one: Reading, other: Reading, contract: Contract): boolean {
  const subject = contract.requirementOf(id)?.subject;
  if (subject?.kind === 'parameter')
    return queryOf(one.exchange, subject.name) === queryOf(other.exchange, subject.name);
  if (subject?.kind !== 'request')
    return one.exchange.request.target === other.exchange.request.target;
  const [member] = subject.path;
  const [left, right] = [one, other].map(({ sent }) =>
    member !== undefined && isJsonObject(sent) ? sent[member] : undefined,
  );
  return isSame(left, right);
}

function exercisesOf({ exchange: { intent } }: Reading): readonly string[] {
  return intent.kind === 'valid' ? intent.exercises : [];
}

/** The requirement of a 404 for an item which a change lost, or which was never stored. */
function findLostAddition(reading: Reading, trace: Trace): string | undefined {
  const { operation, exchange, response } = reading;
  const resource = itemResourceOf(trace.contract, operation);
  if (resource === undefined || response.status !== 404) return undefined;
  const wanted = pathIdOf(reading, resource) ?? '';
  const cause =
    causeOfMissing(trace, resource, reading) ?? removalOfOther(trace, resource, wanted, exchange);
  if (cause !== undefined || operation.id !== resource.get?.id) return cause;
  if (!isUntouched(trace, resource, wanted, exchange)) return undefined;
  const addition = additionsOf(trace, resource).find(({ answered }) => answered.id === wanted);
  if (addition?.reading.exchange.group === undefined) return undefined;
  const isListed = trace.readings.some((each) =>
    (itemsOf(each) ?? []).some((item) => idOf(item, resource) === wanted),
  );
  return isListed || resource.create === undefined
    ? undefined
    : requirementId.concurrency(resource.create.id, 'stored');
}
