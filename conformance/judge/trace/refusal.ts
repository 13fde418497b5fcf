import type { Contract, OpenQuestion } from '../../../contract/index.ts';
import { isJsonObject } from '../../../contract/index.ts';
import { itemsOf, renderPlain, type Reading, type Trace } from './trace.ts';

/**
 * The open questions under which a valid request may have been refused: those that its intent
 * names, without the ones that other responses of the target have ruled out. Empty where nothing
 * makes the response a lawful refusal.
 */
export function explainRefusal(
  { exchange, response, operation }: Reading,
  trace: Trace,
): readonly OpenQuestion[] {
  const { intent } = exchange;
  if (intent.kind !== 'valid' || (response.status !== 400 && response.status !== 422)) return [];
  return trace.contract.openQuestions.filter(
    (question) =>
      intent.mayRefuse.includes(question.id) &&
      !(question.kind === 'reference' && takesAnyReference(question, operation.id, trace)),
  );
}

/**
 * It took two records that no list had shown to exist: then it does not look whether records exist.
 * One may exist by chance.
 */
export function takesAnyReference(
  { id, at }: OpenQuestion,
  operation: string,
  trace: Trace,
): boolean {
  const member = at.split('/').at(-1) ?? '';
  const shown = new Set(
    trace.readings.flatMap((each) =>
      (itemsOf(each) ?? []).map((item) => renderPlain(item[member] ?? null)),
    ),
  );
  const taken = trace.readings.flatMap((each) => {
    const { intent } = each.exchange;
    const isFresh =
      each.operation.id === operation &&
      each.succeeded &&
      intent.kind === 'valid' &&
      intent.mayRefuse.includes(id);
    return isFresh && isJsonObject(each.sent) ? [renderPlain(each.sent[member] ?? null)] : [];
  });
  const mine = trace.readings.find(
    (each) => each.operation.id === operation && isJsonObject(each.sent),
  );
  const plain = mine && isJsonObject(mine.sent) ? renderPlain(mine.sent[member] ?? null) : '';
  return (
    new Set(
      taken.filter(
        (value) => value !== plain && (!shown.has(value) || isOwn(value, member, trace)),
      ),
    ).size >= 2
  );
}

/** A value that only items of this run have. */
function isOwn(value: string, member: string, trace: Trace): boolean {
  const first = trace.readings.find((each) =>
    (itemsOf(each) ?? []).some((item) => renderPlain(item[member] ?? null) === value),
  );
  const sent = trace.readings.find(
    (each) => isJsonObject(each.sent) && renderPlain(each.sent[member] ?? null) === value,
  );
  return sent !== undefined && (first === undefined || sent.exchange.index < first.exchange.index);
}

/**
 * The answers to requests with the key for operations that answered 403 to each of them: the key
 * may not use those, and their answers say nothing else.
 */
export function forbiddenReadings({ readings }: Trace): ReadonlySet<Reading> {
  const own = readings.filter(({ exchange }) => exchange.request.credential === 'valid');
  const allowed = new Set(
    own.filter(({ response }) => response.status !== 403).map(({ operation }) => operation.id),
  );
  return new Set(own.filter(({ operation }) => !allowed.has(operation.id)));
}

/** Whether the key was served by every operation that wants one. */
export function isServedEverywhere({ operations }: Contract, { readings }: Trace): boolean {
  const served = new Set(
    readings
      .filter(
        ({ exchange, response }) =>
          exchange.request.credential === 'valid' && response.status < 300,
      )
      .map(({ operation }) => operation.id),
  );
  const guarded = operations.filter(({ credential }) => credential.kind !== 'none');
  return guarded.length > 0 && guarded.every(({ id }) => served.has(id));
}
