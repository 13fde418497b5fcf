import { type JsonValue, isJsonObject } from '../../../contract/json/value.ts';
import { type OpenQuestion, openMember } from '../../../contract/openapi/open-question.ts';
import { itemsOf, renderPlain, type Reading, type Trace } from './trace.ts';
import { shapeOfText } from '../../generate/text-values.ts';
import { isLeftover } from '../../generate/tag.ts';
import { describeUse } from '../../transport/credential.ts';
import { once } from '../../memo/once.ts';

/**
 * The open questions under which a valid request may have been refused: those that its intent
 * names, but for what other responses rule out.
 */
export function explainRefusal(reading: Reading, trace: Trace): readonly OpenQuestion[] {
  const { status } = reading.response;
  return status === 400 || status === 422 ? listReasons(reading, trace) : [];
}

/** The 400 to a request that is not valid HTTP: a proxy may have sent it, in a form of its own. */
export function mayBeOfProxy({ exchange: { request }, response: { status } }: Reading): boolean {
  return status === 400 && describeUse(request.credential).breaksHttp === true;
}

/** Statuses of refusals for what a body holds, those of firewalls among them. */
const refusals: ReadonlySet<number> = new Set([400, 403, 406, 413, 422]);

/** The open question that alone can be why a valid request was refused. */
export function soleReason(reading: Reading, trace: Trace): OpenQuestion | undefined {
  if (!refusals.has(reading.response.status)) return undefined;
  const [reason, ...others] = listReasons(reading, trace);
  return others.length === 0 ? reason : undefined;
}

function listReasons(
  { exchange: { intent }, operation, sent }: Reading,
  trace: Trace,
): readonly OpenQuestion[] {
  if (intent.kind !== 'valid') return [];
  return trace.contract.openQuestions.filter(
    (question) =>
      intent.mayRefuse.includes(question.id) &&
      !(
        question.kind === 'reference' &&
        takesAnyReference(question, operation.id, trace) &&
        !isBelowFirst(question, sent)
      ) &&
      !(question.kind === 'string-limits' && takesAlike(question, operation.id, sent, trace)),
  );
}

/** A text of the same length and the same kinds of characters was taken: no limit tells them apart. */
function takesAlike(
  question: OpenQuestion,
  operation: string,
  sent: JsonValue | undefined,
  trace: Trace,
): boolean {
  const member = openMember(question);
  const shape = readShape(sent, member);
  return shape !== undefined && shapesTaken(trace).has(`${operation} ${member} ${shape}`);
}

function readShape(sent: JsonValue | undefined, member: string): string | undefined {
  const value = isJsonObject(sent) ? sent[member] : undefined;
  return typeof value === 'string' ? shapeOfText(value) : undefined;
}

/** The shapes of the texts that were taken, after the operation and the member. */
const shapesTaken = once(({ contract, readings }: Trace): ReadonlySet<string> => {
  const limits = contract.openQuestions.filter(({ kind }) => kind === 'string-limits');
  const members = new Set(limits.map(openMember));
  const served = readings.filter(
    ({ succeeded, exchange }) => succeeded && exchange.intent.kind === 'valid',
  );
  return new Set(
    served.flatMap(({ operation, sent }) =>
      [...members].map((member) => `${operation.id} ${member} ${readShape(sent, member)}`),
    ),
  );
});

/** It refers to a record below 1: where identifiers count from 1, none can be there. */
function isBelowFirst(question: OpenQuestion, sent: JsonValue | undefined): boolean {
  const value = isJsonObject(sent) ? sent[openMember(question)] : undefined;
  return (typeof value === 'number' || typeof value === 'bigint') && value < 1;
}

/** It took two records that no list had shown (one may exist by chance): any will do. */
export function takesAnyReference(
  { id, at }: OpenQuestion,
  operation: string,
  trace: Trace,
): boolean {
  const known = referenceAnswers(trace);
  const key = `${id} ${operation}`;
  const answer = known.get(key) ?? countUnshown(id, openMember({ at }), operation, trace) >= 2;
  known.set(key, answer);
  return answer;
}

const referenceAnswers = once((_trace: Trace): Map<string, boolean> => new Map());

/** The values that were taken though nothing but items of this suite's runs had shown them. */
function countUnshown(
  question: string,
  member: string,
  operation: string,
  { readings }: Trace,
): number {
  const firstShown = new Map<string, number>();
  const firstSent = new Map<string, number>();
  const taken = new Set<string>();
  let plain: string | undefined;
  for (const reading of readings) {
    const { index, intent } = reading.exchange;
    for (const item of itemsOf(reading) ?? []) {
      if (isLeftover(item)) continue;
      const value = renderPlain(item[member] ?? null);
      if (!firstShown.has(value)) firstShown.set(value, index);
    }
    if (!isJsonObject(reading.sent)) continue;
    const value = renderPlain(reading.sent[member] ?? null);
    if (!firstSent.has(value)) firstSent.set(value, index);
    if (reading.operation.id !== operation) continue;
    plain ??= value;
    if (reading.succeeded && intent.kind === 'valid' && intent.mayRefuse.includes(question))
      taken.add(value);
  }
  const isShown = (value: string): boolean => {
    const shown = firstShown.get(value);
    return shown !== undefined && shown <= (firstSent.get(value) ?? shown);
  };
  return [...taken].filter((value) => value !== (plain ?? '') && !isShown(value)).length;
}

/**
 * The 403s of operations that answered 403 to each request with the key that could have been served.
 * What else is wrong with a request may be looked at before what the key may use.
 */
export const forbiddenReadings = once(({ readings }: Trace): ReadonlySet<Reading> => {
  const own = readings.filter(({ exchange }) => exchange.request.credential === 'valid');
  const allowed = new Set(
    own
      .filter(
        ({ exchange: { intent }, response }) =>
          response.status !== 403 &&
          (response.status < 400 || intent.kind === 'valid' || intent.kind === 'absent'),
      )
      .map(({ operation }) => operation.id),
  );
  return new Set(
    own.filter(({ operation, response }) => response.status === 403 && !allowed.has(operation.id)),
  );
});

/** The readings without the forbidden ones, where the document leaves open what a key may use. */
export function readingsWithinScope(trace: Trace): readonly Reading[] {
  if (!trace.contract.openQuestions.some(({ kind }) => kind === 'key-issuance'))
    return trace.readings;
  const forbidden = forbiddenReadings(trace);
  return trace.readings.filter((reading) => !forbidden.has(reading));
}

/** Whether the key was served by every operation that wants one. */
export function isServedEverywhere({ contract, readings }: Trace): boolean {
  const served = new Set(
    readings
      .filter(
        ({ exchange, response }) =>
          exchange.request.credential === 'valid' && response.status < 300,
      )
      .map(({ operation }) => operation.id),
  );
  const guarded = contract.operations.filter(({ credential }) => credential.kind !== 'none');
  return guarded.length > 0 && guarded.every(({ id }) => served.has(id));
}
