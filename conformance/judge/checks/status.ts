import {
  isJsonObject,
  jsonEquals,
  requirementId,
  successStatus,
  type Contract,
  type OpenQuestion,
} from '../../../contract/index.ts';
import type { Check } from '../trace/check.ts';
import type { Exchange, Intent } from '../../transport/exchange.ts';
import { passed, observed, failed, type Finding } from '../trace/finding.ts';
import { additionsOf } from '../trace/ledger.ts';
import {
  idOf,
  itemOf,
  itemsOf,
  pathValueOf,
  queryOf,
  resourceOf,
  type Reading,
  type Trace,
} from '../trace/trace.ts';
import { describeResponse } from '../trace/words.ts';
import { explainRefusal, forbiddenReadings, isServedEverywhere } from '../trace/refusal.ts';

type InvalidIntent = Extract<Intent, { kind: 'invalid' }>;

/**
 * Judges whether each request got the status that its intent calls for. Silence and 5xx are the
 * business of `robustness` only where nothing else was documented.
 */
export const statusCheck: Check = {
  id: 'status',
  *judge(trace) {
    const scopes = trace.contract.openQuestions.find(({ kind }) => kind === 'key-issuance');
    const forbidden = scopes ? forbiddenReadings(trace) : new Set<Reading>();
    for (const reading of trace.readings) {
      if (scopes && forbidden.has(reading))
        yield observed(
          scopes.id,
          choice(scopes, 'scoped'),
          reading.exchange.index,
          `${reading.operation.id} answered 403 to every request with the key`,
        );
      else yield* judgeStatus(reading, trace);
    }
    const last = trace.readings.at(-1);
    if (scopes && last && isServedEverywhere(trace.contract, trace))
      yield observed(
        scopes.id,
        choice(scopes, 'full-access'),
        last.exchange.index,
        'every operation served the key',
      );
  },
};

function choice(question: OpenQuestion, id: string): string | undefined {
  return question.choices.find((each) => each.id === id)?.id;
}

function* judgeStatus(reading: Reading, trace: Trace): Generator<Finding> {
  const { intent } = reading.exchange;
  if (intent.kind === 'valid') yield* judgeValid(reading, trace);
  if (intent.kind === 'invalid') yield* judgeInvalid(reading, intent, trace);
  if (intent.kind === 'absent')
    yield* judgeAbsent(reading, intent.requirement, intent.id, trace.contract);
}

function* judgeInvalid(
  { response, exchange, operation }: Reading,
  intent: InvalidIntent,
  trace: Trace,
): Generator<Finding> {
  const saved = response.status === intent.status;
  if (saved) yield passed(intent.requirement, exchange.index);
  if (saved && intent.also !== undefined) yield passed(intent.also, exchange.index);
  const explained = intent.unless?.some((id) => isFailed(id, operation.id, trace)) ?? false;
  if (
    saved ||
    explained ||
    (intent.also !== undefined &&
      response.status < 300 &&
      isFailed(intent.also, operation.id, trace))
  )
    return;
  const blamed =
    response.status >= 300 && intent.also !== undefined ? intent.also : intent.requirement;
  yield failed(
    blamed,
    exchange.index,
    `${intent.status}, since ${intent.way}`,
    describeResponse(response),
  );
}

/** A request that asks for the wider requirement alone was not refused either. */
function isFailed(requirement: string, operation: string, { readings }: Trace): boolean {
  return readings.some(
    ({ exchange: { intent }, response, operation: { id } }) =>
      id === operation &&
      intent.kind === 'invalid' &&
      intent.unless === undefined &&
      intent.requirement === requirement &&
      response.status !== intent.status,
  );
}

function* judgeAbsent(
  reading: Reading,
  requirement: string,
  id: string,
  contract: Contract,
): Generator<Finding> {
  const { index } = reading.exchange;
  if (reading.response.status === 404) yield passed(requirement, index);
  else if (!isThatItem(reading, id, contract))
    yield failed(
      requirement,
      index,
      '404, since nothing has that identifier',
      describeResponse(reading.response),
    );
}

/** Someone else may have added an item of that very identifier. */
function isThatItem(reading: Reading, id: string, contract: Contract): boolean {
  const resource = resourceOf(contract, reading.operation);
  const item = itemOf(reading);
  return resource !== undefined && item !== undefined && idOf(item, resource) === id;
}

function* judgeValid(reading: Reading, trace: Trace): Generator<Finding> {
  const { exchange, operation, response } = reading;
  const { index, intent } = exchange;
  const success = successStatus(operation);
  if (!success || intent.kind !== 'valid') return;
  if (reading.succeeded) {
    yield passed(requirementId.status(operation.id, success.status), index);
    for (const requirement of intent.exercises) yield passed(requirement, index);
    return;
  }
  const questions = explainRefusal(reading, trace);
  if (questions.length > 0) yield* observeRefusal(questions, exchange, response.status);
  else
    yield failed(
      blame(reading, trace),
      index,
      `${success.status}: the request keeps the contract`,
      describeResponse(response),
    );
}

/**
 * What a refused valid request breaks: of what it exercised, the one that was served in no request
 * and explains most refusals, as long as requests without it were served; else the operation's
 * status. Another success status is never the doing of a parameter, nor is a key that is suddenly
 * unknown.
 */
function blame(reading: Reading, trace: Trace): string {
  const { operation, response } = reading;
  const status = requirementId.status(operation.id, successStatus(operation)?.status ?? '200');
  const valid = trace.readings.filter(
    (each) => each.operation.id === operation.id && each.exchange.intent.kind === 'valid',
  );
  const first = valid.find((each) => !each.succeeded)?.exchange.index ?? 0;
  if (response.status < 300 || response.status === 401) return status;
  const suspects = exercisesOf(reading).flatMap((id) => {
    const alike = valid.filter(
      (each) => exercisesOf(each).includes(id) && isSameCase(id, each, reading),
    );
    const others = valid.filter((each) => !alike.includes(each));
    const from = /\/(state|concurrency)\./.test(id) ? -1 : first;
    const isCause =
      !alike.some(({ succeeded }) => succeeded) &&
      others.some((each) => each.succeeded && each.exchange.index > from);
    return isCause ? [{ id, refused: alike.length }] : [];
  });
  const [most] = suspects.toSorted((a, b) => b.refused - a.refused);
  const isRace =
    suspects.length === 0 &&
    valid.some(({ succeeded }) => succeeded) &&
    reading.exchange.group !== undefined &&
    resourceOf(trace.contract, operation)?.create?.id === operation.id;
  const lost = lostAddition(reading, trace);
  if (lost !== undefined) return lost;
  return most?.id ?? (isRace ? requirementId.concurrency(operation.id, 'stored') : status);
}

/**
 * The requirement of a read that finds nothing of an item which was added beside others and is in no
 * list: it was never stored.
 */
function lostAddition(reading: Reading, trace: Trace): string | undefined {
  const resource = resourceOf(trace.contract, reading.operation);
  if (
    !resource?.create ||
    resource.get?.id !== reading.operation.id ||
    reading.response.status !== 404
  )
    return undefined;
  const wanted = pathValueOf(reading, resource.idParameter?.name ?? '');
  const addition = additionsOf(trace, resource).find(({ answered }) => answered.id === wanted);
  if (addition?.reading.exchange.group === undefined) return undefined;
  const isListed = trace.readings.some((each) =>
    (itemsOf(each) ?? []).some((item) => idOf(item, resource) === wanted),
  );
  return isListed ? undefined : requirementId.concurrency(resource.create.id, 'stored');
}

/**
 * Whether two requests put a requirement to the same test: the same value of the parameter or
 * member that it is about, and for what is about an item the same item.
 */
function isSameCase(id: string, one: Reading, other: Reading): boolean {
  const [, parameter] = /\/parameter\.([^.]+)\./.exec(id) ?? [];
  if (parameter !== undefined)
    return queryOf(one.exchange, parameter) === queryOf(other.exchange, parameter);
  const [, member] = /\/request\.body\.([^.[]+)/.exec(id) ?? [];
  if (member === undefined) return one.exchange.request.target === other.exchange.request.target;
  const [left, right] = [one, other].map(({ sent }) =>
    isJsonObject(sent) ? sent[member] : undefined,
  );
  return left === undefined || right === undefined ? left === right : jsonEquals(left, right);
}

function exercisesOf({ exchange: { intent } }: Reading): readonly string[] {
  return intent.kind === 'valid' ? intent.exercises : [];
}

/**
 * Only one question can be behind the refusal. Which texts are taken is told by all of them
 * together, elsewhere.
 */
function* observeRefusal(
  [question, ...others]: readonly OpenQuestion[],
  exchange: Exchange,
  status: number,
): Generator<Finding> {
  if (!question || others.length > 0 || question.kind === 'string-limits') return;
  yield observed(
    question.id,
    status === 400 ? refusingChoice(question) : undefined,
    exchange.index,
    `answered ${status}`,
  );
}

/** The choice under which a request may be refused, where only one does. */
function refusingChoice(question: OpenQuestion): string | undefined {
  const refusing = question.choices.filter((choice) => /refus|must-exist/.test(choice.id));
  return refusing.length === 1 ? refusing[0]?.id : undefined;
}
