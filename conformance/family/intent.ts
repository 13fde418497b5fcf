import { valueAt } from '../../contract/json/place.ts';
import { facetOf } from '../../contract/schema/keywords.ts';
import { memberContent } from '../../contract/openapi/media-type.ts';
import {
  maxRequirements,
  requirementId,
  type Family,
  type Requirements,
} from '../judge/trace/requirement.ts';
import type { Intent } from '../transport/exchange.ts';
import { once } from '../../contract/memo/once.ts';
import { writes } from '../transport/target.ts';
import { collectionOf, isWithinKnown, type Collection } from '../judge/trace/collection.ts';
import { excused, passed, failed, unclear, type Finding } from '../judge/trace/finding.ts';
import { isSame, memberPath, shownItem } from '../judge/trace/item.ts';
import { causeOfMissing, historyOf, sharedId } from '../judge/trace/model.ts';
import {
  explainByDocument,
  explainRefusal,
  forbiddenReadings,
  isConverted,
  readRefusal,
} from '../judge/trace/refusal.ts';
import {
  idOf,
  itemOf,
  itemResourceOf,
  pathIdOf,
  queryOf,
  successId,
  successOf,
  type Reading,
  type Trace,
} from '../judge/trace/trace.ts';
import { additionOf, resourceOf } from '../../contract/resource/resource.ts';
import { describeResponse } from '../judge/trace/words.ts';

type InvalidIntent = Extract<Intent, { kind: 'invalid' }>;

export function judgeIntents(trace: Trace, family: Family): readonly Finding[] {
  return findingsByFamily(trace).get(family) ?? [];
}

const findingsByFamily = once((trace: Trace) =>
  Map.groupBy(listIntentFindings(trace), (finding) =>
    finding.kind === 'open' ? 'open' : trace.requirements.get(finding.requirement)?.family,
  ),
);

/** What the status of each response means for the requirements that its request tests. */
export function listIntentFindings(trace: Trace): readonly Finding[] {
  const { contract, readings } = trace;
  const isKeyOpen = contract.openQuestions.some(({ kind }) => kind === 'key-issuance');
  return readings.flatMap((reading) => {
    const isForbidden =
      isKeyOpen && reading.status === 403 && forbiddenReadings(trace).has(reading);
    const outcome = isForbidden ? readForbidden(reading) : readOutcome(reading, trace);
    return outcome === undefined ? [] : [...judgeOutcome(outcome, reading, trace)];
  });
}

/** What a response means for the requirements that its request tests. They pass, unless: */
interface Outcome {
  readonly touched: readonly string[];
  /** Why it proves nothing, in words that follow `returned 400`. */
  readonly excuse?: string | undefined;
  /** The requirement that it breaks; the others are then unclear. */
  readonly cause?: string | undefined;
  /** The expected response; undefined if other responses decide about the cause. */
  readonly expected?: string | undefined;
  readonly others?: readonly number[];
  /** The requirement whose failure would explain the cause. */
  readonly because?: string | undefined;
}

function* judgeOutcome(
  { touched, excuse, cause, expected, others, because }: Outcome,
  reading: Reading,
  trace: Trace,
): Generator<Finding> {
  const { index, status, response } = reading;
  if (cause !== undefined && expected !== undefined)
    yield failed(cause, index, expected, describeResponse(response), others, { because });
  for (const id of new Set(touched))
    if (cause !== undefined) {
      if (id !== cause) yield unclear(id, index, `returned ${status}, which fails ${cause}`, cause);
    } else if (excuse === undefined) yield passed(id, index);
    else {
      const doubt = isUnshown(id, reading, trace) ? unclear : excused;
      yield doubt(id, index, `returned ${status}${excuse}`);
    }
}

function readOutcome(reading: Reading, trace: Trace): Outcome | undefined {
  const { intent } = reading.exchange;
  if (intent.kind === 'valid') return readValid(reading, trace);
  if (intent.kind === 'invalid') return readInvalid(reading, intent, trace);
  return intent.kind === 'absent'
    ? readAbsent(reading, intent.requirement, intent.id, trace)
    : undefined;
}

/** Permissions of keys are an open question, so a 403 says nothing else about the operation. */
function readForbidden(reading: Reading): Outcome {
  const { operation } = reading;
  const own = successOf(operation) === undefined ? [] : [successId(operation)];
  const excuse = `, as for every request with the key to ${operation.id}`;
  return { touched: [...own, ...exercisesOf(reading)], excuse };
}

/** A refusal that an open question explains proves nothing here: the family `open` records it. */
function readValid(reading: Reading, trace: Trace): Outcome | undefined {
  const { operation, succeeded } = reading;
  const success = successOf(operation);
  if (success === undefined) return undefined;
  const exercises = exercisesOf(reading);
  const touched = [successId(operation), ...exercises];
  if (succeeded) return { touched };
  const announced = explainByDocument(reading, trace);
  if (announced !== undefined) return { touched, excuse: `: ${announced}` };
  const questions = explainRefusal(reading, trace).map(({ id }) => id);
  if (questions.length > 0)
    return { touched: exercises, excuse: `, which ${questions.join(' or ')} may allow` };
  const lost = explainMissing(reading, trace);
  if (lost === 'unknown') return undefined;
  const others = findServedTwin(reading, trace);
  const reason =
    lost !== undefined
      ? 'the run added this item'
      : others.length > 0
        ? 'the same request succeeded before'
        : 'the request is valid';
  const cause = lost ?? findCause(reading, trace);
  const because =
    reading.status === 404 && lost === undefined
      ? causeOfAbsence(cause, reading, trace)
      : undefined;
  return { touched, cause, expected: `${success.status}: ${reason}`, others, because };
}

/** The requirement that explains why an item was not found, if it fails. */
function causeOfAbsence(cause: string, reading: Reading, trace: Trace): string | undefined {
  const resource = itemResourceOf(trace.contract, reading.operation);
  const { get, remove } = resource ?? {};
  const shared =
    resource && sharedId(pathIdOf(reading, resource) ?? '', collectionOf(trace, resource, reading));
  const readable = get && requirementId.state(get.id, 'readable');
  if (shared !== undefined || cause !== readable) return shared ?? readable;
  return remove && requirementId.state(remove.id, 'others-kept');
}

function exercisesOf({ exchange: { intent } }: Reading): readonly string[] {
  return intent.kind === 'valid' ? intent.exercises : [];
}

/** The index of the first identical request that was accepted, as a list of none or one. */
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

/**
 * Whether no accepted request proves a requirement that something is accepted, because this one was
 * refused with a value that none of them had.
 */
function isUnshown(id: string, reading: Reading, trace: Trace): boolean {
  const kind = trace.requirements.get(id)?.subject.kind;
  if (!reading.isValid || (kind !== 'request' && kind !== 'parameter')) return false;
  return !trace
    .of(reading.operation)
    .some((each) => each.succeeded && isSameCase(id, each, reading, trace.requirements));
}

/**
 * The requirement that a refused valid request breaks: among the features that no accepted request
 * had, the one that explains most refusals, if requests without it were accepted. Otherwise the
 * operation's status, as for another success status or a key that is suddenly unknown.
 */
function findCause(reading: Reading, trace: Trace): string {
  const { operation, status } = reading;
  const usual = successId(operation);
  if (status < 300 || status === 401) return usual;
  const valid = trace.of(operation).filter(({ isValid }) => isValid);
  // A feature that is left out explains a refusal better than one that is present.
  const isOptional = (id: string): boolean => {
    const subject = trace.requirements.get(id)?.subject;
    return subject?.kind === 'request' && subject.facet === 'optional';
  };
  const [most] = listSuspects(reading, valid, trace).toSorted(
    (a, b) => b.refused - a.refused || Number(isOptional(b.id)) - Number(isOptional(a.id)),
  );
  const { requirements } = trace;
  // A member that has no requirement of its own belongs to the status.
  const isMerged = requirements.size >= maxRequirements && !requirements.has(most?.id ?? '');
  if (most !== undefined && !isMerged) return most.id;
  const isRace =
    valid.some(({ succeeded }) => succeeded) &&
    !reading.isAlone &&
    resourceOf(trace.contract.resources, operation)?.create?.id === operation.id;
  return isRace ? requirementId.concurrency(operation.id, 'stored') : usual;
}

/** The features of a refused request that no accepted one had, with the number of refusals. */
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

/**
 * Whether two requests test a requirement in the same way: with the same value of its parameter,
 * member or item.
 */
function isSameCase(id: string, one: Reading, other: Reading, requirements: Requirements): boolean {
  if (!exercisesOf(one).includes(id)) return false;
  const subject = requirements.get(id)?.subject;
  if (subject?.kind === 'parameter')
    return queryOf(one.exchange, subject.name) === queryOf(other.exchange, subject.name);
  if (subject?.kind !== 'request')
    return one.exchange.request.target === other.exchange.request.target;
  const { path } = subject;
  return isSame(valueAt(one.body, path), valueAt(other.body, path));
}

/**
 * The requirement that a 404 breaks if a change lost the item, or it was never stored. `unknown` if
 * the item may be gone: a request with an unknown effect tried to change or remove it, or another
 * client owns it and may have removed it, or its parent may be gone.
 */
function explainMissing(reading: Reading, trace: Trace): string | undefined {
  const { operation, exchange, status } = reading;
  if (status !== 404) return undefined;
  const resource = itemResourceOf(trace.contract, operation);
  const around = resource ?? resourceOf(trace.contract.resources, operation);
  if (around !== undefined && !isWithinKnown(trace, around, reading)) return 'unknown';
  if (resource === undefined) return undefined;
  const collection = collectionOf(trace, resource, reading);
  const id = pathIdOf(reading, resource) ?? '';
  const mayBeOfOthers = resource.remove !== undefined && !collection.ownIds().has(id);
  const isKnown = historyOf(collection).before.has(reading) || !collection.isInDoubt(id, exchange);
  if (mayBeOfOthers || !isKnown) return 'unknown';
  return causeOfMissing(collection, id, reading);
}

/**
 * A request that should have been refused, unless a simpler one that was not refused explains it.
 */
function readInvalid(
  reading: Reading,
  { requirement, also, unless, status: wanted, way }: InvalidIntent,
  trace: Trace,
): Outcome | undefined {
  // If the document lists its open questions, a wrong key gets 401 whether or not the item exists.
  const isOrdered = wanted === 401 && trace.contract.openQuestions.length > 0;
  if (!isOrdered && explainMissing(reading, trace) !== undefined) return undefined;
  const own = also === undefined ? [requirement] : [requirement, also];
  const refusal = readRefusal(reading, wanted, trace);
  if (refusal === 'kept') return { touched: own };
  const touched = [...own, ...brokenFacets(reading)];
  if (refusal === 'excused') return { touched, excuse: ', which may have another reason' };
  if (isConverted(reading, trace)) return { touched, excuse: ', with the value as another type' };
  const cause = findPlainer(reading, { also, unless }, trace);
  if (cause !== undefined) return { touched, cause };
  const usual = reading.status >= 300 && also !== undefined ? also : requirement;
  return { touched, cause: usual, expected: `${wanted}, because ${way}` };
}

function findPlainer(
  reading: Reading,
  { also, unless = [] }: Pick<InvalidIntent, 'also' | 'unless'>,
  trace: Trace,
): string | undefined {
  const plainer = reading.status < 300 && also !== undefined ? [also, ...unless] : unless;
  return plainer.find((id) => isFailed(id, reading, trace));
}

/** The requirement that fails because a request that should have been refused was accepted. */
export function acceptanceId(reading: Reading, trace: Trace): string | undefined {
  const { intent } = reading.exchange;
  if (intent.kind !== 'invalid') return undefined;
  return findPlainer(reading, intent, trace) ?? intent.requirement;
}

function brokenFacets({ operation, hasKey, body }: Reading): readonly string[] {
  if (!hasKey || body === undefined) return [];
  const issues = memberContent(operation)?.schema?.validate(body) ?? [];
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

function readAbsent(reading: Reading, requirement: string, id: string, trace: Trace): Outcome {
  const { index, status, operation, documented } = reading;
  const { contract } = trace;
  const touched = [requirement];
  if (status === 404) return { touched };
  const resource = resourceOf(contract.resources, operation);
  const collection = resource && collectionOf(trace, resource, reading);
  const item = itemOf(reading);
  const ofItem = itemResourceOf(contract, operation);
  const wanted = (ofItem && pathIdOf(reading, ofItem)) ?? id;
  const first = collection?.additions.find(({ answered }) => answered.id === wanted);
  if (first !== undefined && first.reading.index > index)
    return { touched, excuse: ' for an identifier that was assigned later' };
  // Without a resource, it is unknown which ids exist.
  const isUnsure = contract.openQuestions.length === 0 && (!ofItem || !additionOf(ofItem));
  if (isUnsure && status < 500)
    return { touched, excuse: ': the document does not say which items exist' };
  if (resource && item && !writes(operation) && idOf(item, resource) === wanted)
    return { touched, excuse: ' with an item that another client may have added' };
  if (status === 410 && documented !== undefined)
    return { touched, excuse: ', which the document lists for what is no longer there' };
  const history = ofItem?.remove && historyOf(collectionOf(trace, ofItem, reading));
  const isRemoved = history?.before.get(reading)?.kind === 'removed';
  const because = isRemoved ? requirementId.state(ofItem?.remove?.id ?? '', 'removed') : undefined;
  if (isRemoved && history.marked.size > 0 && status < 500)
    return { touched, excuse: ' for a removed item, and the server only marks those' };
  if (isBelowRemoved(reading, trace))
    return { touched, excuse: ' below a path that the run removed' };
  const expected = '404, because nothing has that identifier';
  if (item === undefined) return { touched, cause: requirement, expected, because };
  const same = requirementId.state(operation.id, `read.${resource?.idPlace[0]}`);
  const cause = collection && causeOfOther(collection, reading, same);
  const all = [requirement, same];
  return cause === undefined
    ? { touched: all, cause: requirement, expected, because }
    : { touched: all, cause };
}

/**
 * Whether an earlier request removed what contains the item by its path. Where the document does
 * not list the parents, the suite does not know which of them are left.
 */
function isBelowRemoved({ index, exchange }: Reading, trace: Trace): boolean {
  return trace.readings.some(({ operation, succeeded, exchange: { request }, index: at }) => {
    if (at > index || operation.method !== 'DELETE' || !succeeded) return false;
    return exchange.request.target.startsWith(`${request.target}/`);
  });
}

/**
 * The requirement that explains why a read of a missing item returned one: reads of known items
 * return other ones (`same`), or several items have the same id.
 */
function causeOfOther(collection: Collection, reading: Reading, same: string): string | undefined {
  const { resource } = collection;
  const reads = reading.operation.id === resource.get?.id ? collection.of(resource.get) : [];
  const mixesUp = reads.some((read) => {
    const item = read.isServed ? shownItem(read, resource) : undefined;
    return item !== undefined && item.id !== pathIdOf(read, resource);
  });
  if (mixesUp) return same;
  return sharedId(idOf(itemOf(reading) ?? {}, resource), collection);
}
