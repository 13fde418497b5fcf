import { isJsonObject, jsonEquals, obligationId, successStatus, type Contract, type OpenQuestion } from '../../contract/index.ts';
import type { Check } from '../check.ts';
import type { Exchange, Intent } from '../exchange.ts';
import { held, observed, violated, type Finding } from '../finding.ts';
import { idOf, itemOf, queryOf, resourceOf, type Reading, type Trace } from '../trace.ts';
import { describeAnswer } from '../words.ts';

type InvalidIntent = Extract<Intent, { kind: 'invalid' }>;

/** Judges whether each request got the status that its intent calls for. Silence and 5xx are the business of `robustness` only where nothing else was promised. */
export const statusCheck: Check = {
  id: 'status',
  *judge(trace) {
    for (const reading of trace.readings) yield* judgeStatus(reading, trace);
  },
};

function* judgeStatus(reading: Reading, trace: Trace): Generator<Finding> {
  const { intent } = reading.exchange;
  if (intent.kind === 'valid') yield* judgeValid(reading, trace);
  if (intent.kind === 'invalid') yield* judgeInvalid(reading, intent, trace);
  if (intent.kind === 'absent') yield* judgeAbsent(reading, intent.obligation, intent.id, trace.contract);
}

function* judgeInvalid({ answer, exchange, operation }: Reading, intent: InvalidIntent, trace: Trace): Generator<Finding> {
  const kept = answer.status === intent.status;
  if (kept) yield held(intent.obligation, exchange.index);
  if (kept && intent.also !== undefined) yield held(intent.also, exchange.index);
  const explained = intent.unless?.some((id) => isBroken(id, operation.id, trace)) ?? false;
  if (kept || explained || (intent.also !== undefined && answer.status < 300 && isBroken(intent.also, operation.id, trace))) return;
  const blamed = answer.status >= 300 && intent.also !== undefined ? intent.also : intent.obligation;
  yield violated(blamed, exchange.index, `${intent.status}, since ${intent.way}`, describeAnswer(answer));
}

/** A request that asks for the wider promise alone was not refused either. */
function isBroken(obligation: string, operation: string, { readings }: Trace): boolean {
  return readings.some(({ exchange: { intent }, answer, operation: { id } }) => id === operation && intent.kind === 'invalid' && intent.unless === undefined && intent.obligation === obligation && answer.status !== intent.status);
}

function* judgeAbsent(reading: Reading, obligation: string, id: string, contract: Contract): Generator<Finding> {
  const { index } = reading.exchange;
  if (reading.answer.status === 404) yield held(obligation, index);
  else if (!isThatItem(reading, id, contract)) yield violated(obligation, index, '404, since nothing has that identifier', describeAnswer(reading.answer));
}

/** Someone else may have added an item of that very identifier. */
function isThatItem(reading: Reading, id: string, contract: Contract): boolean {
  const resource = resourceOf(contract, reading.operation);
  const item = itemOf(reading);
  return resource !== undefined && item !== undefined && idOf(item, resource) === id;
}

function* judgeValid(reading: Reading, trace: Trace): Generator<Finding> {
  const { exchange, operation, answer } = reading;
  const { index, intent } = exchange;
  const success = successStatus(operation);
  if (!success || intent.kind !== 'valid') return;
  if (reading.succeeded) {
    yield held(obligationId.status(operation.id, success.status), index);
    for (const obligation of intent.exercises) yield held(obligation, index);
  } else if (isLawfulRefusal(reading, trace)) {
    for (const question of intent.mayRefuse) yield* observeRefusal(trace.contract, question, exchange, answer.status);
  } else {
    yield violated(blame(reading, trace), index, `${success.status}: the request keeps the contract`, describeAnswer(answer));
  }
}

/**
 * What a refused valid request breaks: of what it exercised, the one that was served in no request and explains most
 * refusals, as long as requests without it were served; else the operation's status. Another success status is never
 * the doing of a parameter.
 */
function blame(reading: Reading, trace: Trace): string {
  const { operation, answer } = reading;
  const status = obligationId.status(operation.id, successStatus(operation)?.status ?? '200');
  const valid = trace.readings.filter((each) => each.operation.id === operation.id && each.exchange.intent.kind === 'valid');
  const first = valid.find((each) => !each.succeeded)?.exchange.index ?? 0;
  if (answer.status < 300) return status;
  const suspects = exercisesOf(reading).flatMap((id) => {
    const alike = valid.filter((each) => exercisesOf(each).includes(id) && isSameCase(id, each, reading));
    const others = valid.filter((each) => !alike.includes(each));
    const isCause = !alike.some(({ succeeded }) => succeeded) && others.some((each) => each.succeeded && each.exchange.index > first);
    return isCause ? [{ id, refused: alike.length }] : [];
  });
  const [most] = suspects.toSorted((a, b) => b.refused - a.refused);
  return most?.id ?? status;
}

/**
 * Whether two requests put an obligation to the same test: the same value of the parameter or member that it is about,
 * and for what is about an item the same item.
 */
function isSameCase(id: string, one: Reading, other: Reading): boolean {
  const [, parameter] = /\/parameter\.([^.]+)\./.exec(id) ?? [];
  if (parameter !== undefined) return queryOf(one.exchange, parameter) === queryOf(other.exchange, parameter);
  const [, member] = /\/request\.body\.([^.[]+)/.exec(id) ?? [];
  if (member === undefined) return one.exchange.request.target === other.exchange.request.target;
  const [left, right] = [one, other].map(({ sent }) => (isJsonObject(sent) ? sent[member] : undefined));
  return left === undefined || right === undefined ? left === right : jsonEquals(left, right);
}

function exercisesOf({ exchange: { intent } }: Reading): readonly string[] {
  return intent.kind === 'valid' ? intent.exercises : [];
}

/** An open question allows the refusal, and the target has not shown by another answer that the question is none for it. */
function isLawfulRefusal({ exchange, answer, operation }: Reading, trace: Trace): boolean {
  if (exchange.intent.kind !== 'valid' || (answer.status !== 400 && answer.status !== 422)) return false;
  return exchange.intent.mayRefuse.some((id) => {
    const question = trace.contract.openQuestions.find((each) => each.id === id);
    return question !== undefined && !(question.kind === 'reference' && takesAnyReference(id, operation.id, trace));
  });
}

/** It took a record that no one had shown to exist: then it does not look whether records exist. */
function takesAnyReference(question: string, operation: string, trace: Trace): boolean {
  return trace.readings.some(
    (each) => each.operation.id === operation && each.succeeded && each.exchange.intent.kind === 'valid' && each.exchange.intent.mayRefuse.includes(question),
  );
}

function* observeRefusal(contract: Contract, id: string, exchange: Exchange, status: number): Generator<Finding> {
  const question = contract.openQuestions.find((each) => each.id === id);
  if (question) yield observed(id, refusingChoice(question), exchange.index, `answered ${status}`);
}

/** The choice under which a request may be refused, where only one does. */
function refusingChoice(question: OpenQuestion): string | undefined {
  const refusing = question.choices.filter((choice) => /refus|must-exist/.test(choice.id));
  return refusing.length === 1 ? refusing[0]?.id : undefined;
}
