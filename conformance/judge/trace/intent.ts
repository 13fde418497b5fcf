import { facetOf } from '../../../contract/schema/keywords.ts';
import { jsonContent } from '../../../contract/openapi/media-type.ts';
import { requirementId, type Family } from '../../../contract/requirement/requirement.ts';
import { successResponse } from '../../../contract/openapi/response.ts';
import type { Operation } from '../../../contract/openapi/operation.ts';
import type { Resource } from '../../../contract/resource/resource.ts';
import type { Intent } from '../../transport/exchange.ts';
import { findCause, isUnshown } from './cause.ts';
import { additionsOf, isOwn } from './addition.ts';
import { isInDoubt } from './change.ts';
import { explainByDocument, readRefusal } from './documented-refusal.ts';
import { causeOfMissing } from './missing-item.ts';
import { excused, passed, failed, unclear, type Finding } from './finding.ts';
import { memberPath, readItem } from './item.ts';
import { explainRefusal, readingsWithinScope } from './refusal.ts';
import {
  idOf,
  itemOf,
  itemResourceOf,
  pathIdOf,
  resourceOf,
  type Reading,
  type Trace,
} from './trace.ts';
import { sharedIds } from './trusted-addition.ts';
import { describeResponse } from './words.ts';
import { once } from '../../memo/once.ts';

type InvalidIntent = Extract<Intent, { kind: 'invalid' }>;

/** What the statuses of responses say of the requirements that the requests were sent for. */
export function judgeIntents(trace: Trace, family: Family): readonly Finding[] {
  return findingsByFamily(trace).get(family) ?? [];
}

const findingsByFamily = once((trace: Trace) => {
  const within = new Set(readingsWithinScope(trace));
  const forbidden = trace.readings.filter((reading) => !within.has(reading));
  const findings = [
    ...[...within].flatMap((reading) => [...judgeReading(reading, trace)]),
    ...forbidden.flatMap((reading) => [...excuseForbidden(reading)]),
  ];
  return Map.groupBy(findings, (finding) =>
    finding.kind === 'open' ? 'open' : trace.contract.requirementOf(finding.requirement)?.family,
  );
});

/** What a key may use is left open: that it is forbidden an operation says nothing else of it. */
function* excuseForbidden({ exchange, operation, response }: Reading): Generator<Finding> {
  const success = successResponse(operation)?.status;
  const exercises = exchange.intent.kind === 'valid' ? exchange.intent.exercises : [];
  const reason = `returned ${response.status}, as for every request with the key to ${operation.id}`;
  const touched = success === undefined ? [] : [requirementId.status(operation.id, success)];
  for (const id of [...touched, ...exercises]) yield excused(id, exchange.index, reason);
}

function* judgeReading(reading: Reading, trace: Trace): Generator<Finding> {
  const { intent } = reading.exchange;
  if (intent.kind === 'valid') yield* judgeValid(reading, intent.exercises, trace);
  if (intent.kind === 'invalid') yield* judgeInvalid(reading, intent, trace);
  if (intent.kind === 'absent') yield* judgeAbsent(reading, intent.requirement, intent.id, trace);
}

/** A refusal that an open question explains says nothing here: the family `open` records it. */
function* judgeValid(
  reading: Reading,
  exercises: readonly string[],
  trace: Trace,
): Generator<Finding> {
  const { exchange, operation, response, succeeded } = reading;
  const success = successResponse(operation);
  if (success === undefined) return;
  if (succeeded) {
    yield passed(requirementId.status(operation.id, success.status), exchange.index);
    for (const requirement of exercises) yield passed(requirement, exchange.index);
    return;
  }
  const questions = explainRefusal(reading, trace);
  const announced = explainByDocument(reading, trace);
  if (announced !== undefined) {
    const reason = `returned ${response.status}: ${announced}`;
    yield excused(requirementId.status(operation.id, success.status), exchange.index, reason);
    yield* doubtAccepted(exercises, reading, reason, trace);
  } else if (questions.length > 0) {
    const reason = `returned ${response.status}, which ${questions.map(({ id }) => id).join(' or ')} may allow`;
    yield* doubtAccepted(exercises, reading, reason, trace);
  } else if (!mayBeGone(reading, trace)) {
    const cause = findCause(reading, trace);
    const before = findServedTwin(reading, trace);
    const reason = before.length > 0 ? 'the same request succeeded before' : 'the request is valid';
    const expected = `${success.status}: ${reason}`;
    yield failed(cause, exchange.index, expected, describeResponse(response), before);
    const touched = [requirementId.status(operation.id, success.status), ...exercises];
    yield* doubtOthers(touched, cause, reading);
  }
}

/** The index of the first request that was the same and was served; a list of none or one. */
function findServedTwin({ exchange }: Reading, { readings }: Trace): readonly number[] {
  const { method, target, body } = exchange.request;
  const twin = readings.find(
    ({ succeeded, exchange: { intent, index, request } }) =>
      succeeded &&
      intent.kind === 'valid' &&
      index < exchange.index &&
      request.method === method &&
      request.target === target &&
      request.body === body,
  );
  return twin === undefined ? [] : [twin.exchange.index];
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
    yield doubt(id, reading.exchange.index, reason);
  }
}

/** What else a response stands against, where one requirement names the cause. */
function* doubtOthers(
  requirements: readonly string[],
  cause: string,
  { exchange, response }: Reading,
): Generator<Finding> {
  for (const id of new Set(requirements))
    if (id !== cause)
      yield unclear(id, exchange.index, `returned ${response.status}, which fails ${cause}`);
}

/**
 * A 404 for an item that may be gone: a request wanted to change or remove it of which nobody can say
 * what it did, or it is somebody else's, who may have removed it.
 */
function mayBeGone(reading: Reading, trace: Trace): boolean {
  const { exchange, operation, response } = reading;
  const resource = itemResourceOf(trace.contract, operation);
  if (response.status !== 404 || resource === undefined) return false;
  const id = pathIdOf({ exchange, operation }, resource) ?? '';
  return (
    isInDoubt(trace, resource, id, exchange) ||
    (resource.remove !== undefined && !isOwn(trace, resource, id)) ||
    (exchange.intent.kind === 'invalid' && causeOfMissing(trace, resource, reading) !== undefined)
  );
}

/** A request that had to be refused, unless a plainer one that was not refused explains it. */
function* judgeInvalid(
  reading: Reading,
  { requirement, also, unless = [], status, way }: InvalidIntent,
  trace: Trace,
): Generator<Finding> {
  const { response, exchange, operation } = reading;
  // Where the document lists what it leaves open, a wrong key is 401 whether there is an item or not.
  const isOrdered = status === 401 && trace.contract.openQuestions.length > 0;
  if (!isOrdered && mayBeGone(reading, trace)) return;
  const touched = [requirement, ...(also === undefined ? [] : [also]), ...brokenFacets(reading)];
  const refusal = readRefusal(reading, status, trace.contract);
  if (refusal === 'excused') {
    const reason = `returned ${response.status}, which may have another reason`;
    for (const id of touched) yield excused(id, exchange.index, reason);
    return;
  }
  if (refusal === 'kept') {
    yield passed(requirement, exchange.index);
    if (also !== undefined) yield passed(also, exchange.index);
    return;
  }
  const plainer = also !== undefined && response.status < 300 ? [also, ...unless] : unless;
  const known = plainer.find((id) => isFailed(id, operation.id, trace));
  const cause = known ?? (response.status >= 300 && also !== undefined ? also : requirement);
  if (known === undefined)
    yield failed(cause, exchange.index, `${status}, because ${way}`, describeResponse(response));
  yield* doubtOthers(touched, cause, reading);
}

/** The requirements of everything that is wrong with the body of a request with the key. */
function brokenFacets({ operation, exchange, sent }: Reading): readonly string[] {
  if (exchange.request.credential !== 'valid' || sent === undefined) return [];
  const issues = jsonContent(operation.requestBody?.content ?? [])?.schema?.validate(sent) ?? [];
  return issues.flatMap(({ at, keyword }) => {
    const facet = facetOf(keyword);
    return facet === undefined
      ? []
      : [requirementId.requestFacet(operation.id, memberPath(at), facet)];
  });
}

/** A request that was sent for this requirement alone was not refused. */
function isFailed(requirement: string, operation: string, { readings, contract }: Trace): boolean {
  return readings.some((reading) => {
    const {
      exchange: { intent },
      operation: { id },
    } = reading;
    return (
      id === operation &&
      intent.kind === 'invalid' &&
      intent.unless === undefined &&
      intent.requirement === requirement &&
      readRefusal(reading, intent.status, contract) !== 'kept'
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
  const { exchange, response, operation, documented } = reading;
  const { contract } = trace;
  const resource = resourceOf(contract, operation);
  const item = itemOf(reading);
  const wanted = resource === undefined ? id : (pathIdOf(reading, resource) ?? id);
  // No resource tells which identifiers name something.
  const isUnsure =
    contract.openQuestions.length === 0 &&
    itemResourceOf(contract, operation)?.create === undefined;
  const isShown = resource !== undefined && item !== undefined && idOf(item, resource) === wanted;
  if (response.status === 404) yield passed(requirement, exchange.index);
  else if (resource !== undefined && isGivenLater(trace, resource, wanted, exchange.index)) {
    const reason = `returned ${response.status} for an identifier that was assigned later`;
    yield excused(requirement, exchange.index, reason);
  } else if (isUnsure && response.status < 500) {
    const reason = `returned ${response.status}: the document does not say which items exist`;
    yield excused(requirement, exchange.index, reason);
  } else if (!isShown && !(response.status === 410 && documented !== undefined)) {
    const same = requirementId.state(operation.id, `read.${resource?.idProperty}`);
    const cause =
      resource && item && causeOfOther(trace, resource, operation, idOf(item, resource), same);
    if (cause === undefined) {
      const expected = '404, because nothing has that identifier';
      yield failed(requirement, exchange.index, expected, describeResponse(response));
    }
    const touched = item === undefined ? [requirement] : [requirement, same];
    yield* doubtOthers(touched, cause ?? requirement, reading);
  } else {
    const reason = `returned ${response.status} with an item that another client may have added`;
    yield excused(requirement, exchange.index, reason);
  }
}

/**
 * The requirement whose failure explains that a read of nothing answers the item with an identifier:
 * reads of known items answer others (`same`), or the identifier was given to several items.
 */
function causeOfOther(
  trace: Trace,
  resource: Resource,
  { id }: Operation,
  found: string,
  same: string,
): string | undefined {
  const reads = trace.readings.filter(
    ({ operation, exchange: { intent }, succeeded }) =>
      operation.id === id && id === resource.get?.id && intent.kind === 'valid' && succeeded,
  );
  const mixesUp = reads.some((read) => {
    const item = readItem(itemOf(read), resource);
    return item !== undefined && item.id !== pathIdOf(read, resource);
  });
  if (mixesUp) return same;
  return resource.create && sharedIds(trace)(resource).has(found)
    ? requirementId.state(resource.create.id, 'id-unique')
    : undefined;
}

/** Whether the first item with an identifier was added after an exchange. */
function isGivenLater(trace: Trace, resource: Resource, id: string, index: number): boolean {
  const first = additionsOf(trace, resource).find(({ answered }) => answered.id === id);
  return first !== undefined && first.reading.exchange.index > index;
}
