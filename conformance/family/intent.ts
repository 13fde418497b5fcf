import { isJsonObject } from '../../contract/json/value.ts';
import { facetOf } from '../../contract/schema/keywords.ts';
import { jsonContent } from '../../contract/openapi/media-type.ts';
import { requirementId, type Family, type Requirements } from '../judge/trace/requirement.ts';
import { successResponse } from '../../contract/openapi/response.ts';
import type { Intent } from '../transport/exchange.ts';
import { once } from '../memo/once.ts';
import { collectionOf, isWithinKnown, type Collection } from '../judge/trace/collection.ts';
import { excused, passed, failed, unclear, type Finding } from '../judge/trace/finding.ts';
import { isSame, memberPath, shownItem } from '../judge/trace/item.ts';
import { causeOfMissing, removalOfOther } from '../judge/trace/model.ts';
import {
  explainByDocument,
  explainRefusal,
  forbiddenReadings,
  readRefusal,
} from '../judge/trace/refusal.ts';
import {
  idOf,
  itemOf,
  itemResourceOf,
  itemsOf,
  pathIdOf,
  queryOf,
  resourceOf,
  successId,
  type Reading,
  type Trace,
} from '../judge/trace/trace.ts';
import { additionOf } from '../../contract/resource/resource.ts';
import { describeResponse } from '../judge/trace/words.ts';

type InvalidIntent = Extract<Intent, { kind: 'invalid' }>;

export function judgeIntents(trace: Trace, family: Family): readonly Finding[] {
  return findingsByFamily(trace).get(family) ?? [];
}

const findingsByFamily = once((trace: Trace) => {
  const { contract, requirements, readings } = trace;
  const isKeyOpen = contract.openQuestions.some(({ kind }) => kind === 'key-issuance');
  const forbidden = isKeyOpen ? forbiddenReadings(trace) : new Set<Reading>();
  const findings = readings.flatMap((reading) => [
    ...(forbidden.has(reading) ? excuseForbidden(reading) : judgeReading(reading, trace)),
  ]);
  return Map.groupBy(findings, (finding) =>
    finding.kind === 'open' ? 'open' : requirements.get(finding.requirement)?.family,
  );
});

/** What a key may use is left open: that it is forbidden an operation says nothing else of it. */
function* excuseForbidden(reading: Reading): Generator<Finding> {
  const { operation, status, index } = reading;
  const reason = `returned ${status}, as for every request with the key to ${operation.id}`;
  const touched = successResponse(operation) === undefined ? [] : [successId(operation)];
  for (const id of [...touched, ...exercisesOf(reading)]) yield excused(id, index, reason);
}

function* judgeReading(reading: Reading, trace: Trace): Generator<Finding> {
  const { intent } = reading.exchange;
  if (intent.kind === 'valid') yield* judgeValid(reading, trace);
  if (intent.kind === 'invalid') yield* judgeInvalid(reading, intent, trace);
  if (intent.kind === 'absent') yield* judgeAbsent(reading, intent.requirement, intent.id, trace);
}

/** A refusal that an open question explains says nothing here: the family `open` records it. */
function* judgeValid(reading: Reading, trace: Trace): Generator<Finding> {
  const { index, operation, status } = reading;
  const success = successResponse(operation);
  if (success === undefined) return;
  const exercises = exercisesOf(reading);
  const ownId = successId(operation);
  if (reading.succeeded) {
    for (const id of [ownId, ...exercises]) yield passed(id, index);
    return;
  }
  const questions = explainRefusal(reading, trace);
  const announced = explainByDocument(reading, trace);
  if (announced !== undefined) {
    const reason = `returned ${status}: ${announced}`;
    yield excused(ownId, index, reason);
    yield* doubtAccepted(exercises, reading, reason, trace);
  } else if (questions.length > 0) {
    const reason = `returned ${status}, which ${questions.map(({ id }) => id).join(' or ')} may allow`;
    yield* doubtAccepted(exercises, reading, reason, trace);
  } else if (!mayBeGone(reading, trace)) {
    const cause = findCause(reading, trace);
    const before = findServedTwin(reading, trace);
    const reason = before.length > 0 ? 'the same request succeeded before' : 'the request is valid';
    const expected = `${success.status}: ${reason}`;
    yield failed(cause, index, expected, describeResponse(reading.response), before);
    yield* doubtOthers([ownId, ...exercises], cause, reading);
  }
}

function exercisesOf({ exchange: { intent } }: Reading): readonly string[] {
  return intent.kind === 'valid' ? intent.exercises : [];
}

/** The index of the first request that was the same and was served; a list of none or one. */
function findServedTwin({ exchange, index, operation }: Reading, trace: Trace): readonly number[] {
  const { method, target, body } = exchange.request;
  const twin = trace.of(operation).find((each) => {
    const { request } = each.exchange;
    const isSameRequest =
      request.method === method && request.target === target && request.body === body;
    return each.isServed && each.index < index && isSameRequest;
  });
  return twin === undefined ? [] : [twin.index];
}

/** What a refusal that may be valid leaves untested: others do not show that this value is accepted. */
function* doubtAccepted(
  requirements: readonly string[],
  reading: Reading,
  reason: string,
  trace: Trace,
): Generator<Finding> {
  for (const id of new Set(requirements)) {
    const doubt = isUnshown(id, reading, trace) ? unclear : excused;
    yield doubt(id, reading.index, reason);
  }
}

/**
 * Whether a requirement that something is accepted is not shown by other requests, since this one
 * was refused with a value that none was served with.
 */
function isUnshown(id: string, reading: Reading, trace: Trace): boolean {
  const kind = trace.requirements.get(id)?.subject.kind;
  if (kind !== 'request' && kind !== 'parameter') return false;
  return !trace
    .of(reading.operation)
    .some((each) => each.succeeded && isSameCase(id, each, reading, trace.requirements));
}

/** What else a response contradicts, where one requirement names the cause. */
function* doubtOthers(
  requirements: readonly string[],
  cause: string,
  { index, status }: Reading,
): Generator<Finding> {
  for (const id of new Set(requirements))
    if (id !== cause) yield unclear(id, index, `returned ${status}, which fails ${cause}`, cause);
}

/**
 * The id of the requirement that a refused valid request breaks: of what it exercised, what was
 * served in no request and explains most refusals, if requests without it were served; else the
 * operation's status, as for another success status or a key that is suddenly unknown.
 */
function findCause(reading: Reading, trace: Trace): string {
  const { operation, status } = reading;
  const usual = successId(operation);
  if (status < 300 || status === 401) return usual;
  const lost = findLostAddition(reading, trace);
  if (lost !== undefined) return lost;
  const valid = trace.of(operation).filter(({ isValid }) => isValid);
  // What is left out explains a refusal better than what is there.
  const isOptional = (id: string): boolean => {
    const subject = trace.requirements.get(id)?.subject;
    return subject?.kind === 'request' && subject.facet === 'optional';
  };
  const [most] = listSuspects(reading, valid, trace).toSorted(
    (a, b) => b.refused - a.refused || Number(isOptional(b.id)) - Number(isOptional(a.id)),
  );
  if (most !== undefined) return most.id;
  const isRace =
    valid.some(({ succeeded }) => succeeded) &&
    !reading.isAlone &&
    resourceOf(trace.contract, operation)?.create?.id === operation.id;
  return isRace ? requirementId.concurrency(operation.id, 'stored') : usual;
}

/** What a refused request exercised and no served one did, with the number of refusals. */
function listSuspects(
  reading: Reading,
  valid: readonly Reading[],
  { requirements }: Trace,
): readonly { readonly id: string; readonly refused: number }[] {
  const first = valid.find((each) => !each.succeeded)?.index ?? 0;
  return exercisesOf(reading).flatMap((id) => {
    const alike = valid.filter((each) => isSameCase(id, each, reading, requirements));
    const kind = requirements.get(id)?.subject.kind;
    const from = kind === 'state' || kind === 'concurrency' ? -1 : first;
    const isCause =
      !alike.some(({ succeeded }) => succeeded) &&
      valid.some((each) => each.succeeded && each.index > from && !alike.includes(each));
    return isCause ? [{ id, refused: alike.length }] : [];
  });
}

/** Whether a request tests a requirement like another: same value of its parameter, member or item. */
function isSameCase(id: string, one: Reading, other: Reading, requirements: Requirements): boolean {
  if (!exercisesOf(one).includes(id)) return false;
  const subject = requirements.get(id)?.subject;
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

function itemsAround(reading: Reading, trace: Trace): Collection | undefined {
  const resource = itemResourceOf(trace.contract, reading.operation);
  return resource && collectionOf(trace, resource, reading);
}

/** The requirement of a 404 for an item which a change lost, or which was never stored. */
function findLostAddition(reading: Reading, trace: Trace): string | undefined {
  const { operation, exchange } = reading;
  const collection = itemsAround(reading, trace);
  if (collection === undefined || reading.status !== 404) return undefined;
  const { resource, additions } = collection;
  const wanted = pathIdOf(reading, resource) ?? '';
  const cause = causeOfMissing(collection, reading) ?? removalOfOther(collection, wanted, exchange);
  if (cause !== undefined || operation.id !== resource.get?.id) return cause;
  if (resource.create === undefined || !collection.isUntouched(wanted, exchange)) return undefined;
  const addition = additions.find(({ answered }) => answered.id === wanted);
  if (addition === undefined || addition.reading.isAlone) return undefined;
  const isListed = trace.readings.some((each) =>
    (itemsOf(each) ?? []).some((item) => idOf(item, resource) === wanted),
  );
  return isListed ? undefined : requirementId.concurrency(resource.create.id, 'stored');
}

/**
 * A 404 for an item that may be gone: a request wanted to change or remove it of which nobody can say
 * what it did, or it is somebody else's, who may have removed it, or it is within what may be gone.
 */
function mayBeGone(reading: Reading, trace: Trace): boolean {
  const { exchange } = reading;
  const collection = itemsAround(reading, trace);
  if (reading.status !== 404) return false;
  const resource = collection?.resource ?? resourceOf(trace.contract, reading.operation);
  if (resource !== undefined && !isWithinKnown(trace, resource, reading)) return true;
  if (collection === undefined) return false;
  const id = pathIdOf(reading, collection.resource) ?? '';
  return (
    collection.isInDoubt(id, exchange) ||
    (collection.resource.remove !== undefined && !collection.ownIds().has(id)) ||
    (exchange.intent.kind === 'invalid' && causeOfMissing(collection, reading) !== undefined)
  );
}

/** A request that had to be refused, unless a plainer one that was not refused explains it. */
function* judgeInvalid(
  reading: Reading,
  { requirement, also, unless, status: wanted, way }: InvalidIntent,
  trace: Trace,
): Generator<Finding> {
  const { index, status } = reading;
  // Where the document lists what it leaves open, a wrong key is 401 whether there is an item or not.
  const isOrdered = wanted === 401 && trace.contract.openQuestions.length > 0;
  if (!isOrdered && mayBeGone(reading, trace)) return;
  const wider = also === undefined ? [] : [also];
  const refusal = readRefusal(reading, wanted, trace);
  if (refusal === 'kept') {
    for (const id of [requirement, ...wider]) yield passed(id, index);
    return;
  }
  const touched = [requirement, ...wider, ...brokenFacets(reading)];
  if (refusal === 'excused') {
    const reason = `returned ${status}, which may have another reason`;
    for (const id of touched) yield excused(id, index, reason);
    return;
  }
  const known = findPlainer(reading, { also, unless }, trace);
  const cause = known ?? (status >= 300 && also !== undefined ? also : requirement);
  if (known === undefined)
    yield failed(cause, index, `${wanted}, because ${way}`, describeResponse(reading.response));
  yield* doubtOthers(touched, cause, reading);
}

function findPlainer(
  reading: Reading,
  { also, unless = [] }: Pick<InvalidIntent, 'also' | 'unless'>,
  trace: Trace,
): string | undefined {
  const plainer = reading.status < 300 && also !== undefined ? [also, ...unless] : unless;
  return plainer.find((id) => isFailed(id, reading, trace));
}

/** The id of the requirement that fails since a request that had to be refused was served. */
export function acceptanceId(reading: Reading, trace: Trace): string | undefined {
  const { intent } = reading.exchange;
  if (intent.kind !== 'invalid') return undefined;
  return findPlainer(reading, intent, trace) ?? intent.requirement;
}

function brokenFacets({ operation, hasKey, sent }: Reading): readonly string[] {
  if (!hasKey || sent === undefined) return [];
  const issues = jsonContent(operation.requestBody?.content ?? [])?.schema?.validate(sent) ?? [];
  return issues.flatMap(({ at, keyword }) => {
    const facet = facetOf(keyword);
    return facet === undefined
      ? []
      : [requirementId.requestFacet(operation.id, memberPath(at), facet)];
  });
}

function isFailed(requirement: string, { operation }: Reading, trace: Trace): boolean {
  return trace.of(operation).some((reading) => {
    const { intent } = reading.exchange;
    return (
      intent.kind === 'invalid' &&
      intent.unless === undefined &&
      intent.requirement === requirement &&
      readRefusal(reading, intent.status, trace) !== 'kept'
    );
  });
}

/** Somebody else may have added an item of that very identifier: then it is right to show it. */
function* judgeAbsent(
  reading: Reading,
  requirement: string,
  id: string,
  trace: Trace,
): Generator<Finding> {
  const { index, status, operation, documented } = reading;
  const { contract } = trace;
  const resource = resourceOf(contract, operation);
  const collection = resource && collectionOf(trace, resource, reading);
  const item = itemOf(reading);
  const wanted = resource === undefined ? id : (pathIdOf(reading, resource) ?? id);
  const ofItem = itemResourceOf(contract, operation);
  // No resource says which identifiers name something.
  const isUnsure =
    contract.openQuestions.length === 0 &&
    (ofItem === undefined || additionOf(ofItem) === undefined);
  const isShown = resource !== undefined && item !== undefined && idOf(item, resource) === wanted;
  const first = collection?.additions.find(({ answered }) => answered.id === wanted);
  if (status === 404) yield passed(requirement, index);
  else if (first !== undefined && first.reading.index > index)
    yield excused(
      requirement,
      index,
      `returned ${status} for an identifier that was assigned later`,
    );
  else if (isUnsure && status < 500) {
    const reason = `returned ${status}: the document does not say which items exist`;
    yield excused(requirement, index, reason);
  } else if (isShown) {
    const reason = `returned ${status} with an item that another client may have added`;
    yield excused(requirement, index, reason);
  } else if (status === 410 && documented !== undefined) {
    const reason = 'returned 410, which the document lists for what is no longer there';
    yield excused(requirement, index, reason);
  } else {
    const same = requirementId.state(operation.id, `read.${resource?.idPlace[0]}`);
    const cause = collection && item && causeOfOther(collection, reading, same);
    if (cause === undefined) {
      const expected = '404, because nothing has that identifier';
      yield failed(requirement, index, expected, describeResponse(reading.response));
    }
    const touched = item === undefined ? [requirement] : [requirement, same];
    yield* doubtOthers(touched, cause ?? requirement, reading);
  }
}

/**
 * The requirement whose failure explains that a read of nothing answers an item: reads of known items
 * answer others (`same`), or the identifier was given to several items.
 */
function causeOfOther(collection: Collection, reading: Reading, same: string): string | undefined {
  const { resource, sharedIds } = collection;
  const reads = reading.operation.id === resource.get?.id ? collection.of(resource.get) : [];
  const mixesUp = reads.some((read) => {
    const item = read.isServed ? shownItem(read, resource) : undefined;
    return item !== undefined && item.id !== pathIdOf(read, resource);
  });
  if (mixesUp) return same;
  return resource.create && sharedIds().has(idOf(itemOf(reading) ?? {}, resource))
    ? requirementId.state(resource.create.id, 'id-unique')
    : undefined;
}
