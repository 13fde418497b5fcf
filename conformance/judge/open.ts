import type { OpenQuestion } from '../../contract/index.ts';
import { observeQuestions } from './open-question/index.ts';
import { observed, type Finding } from './trace/finding.ts';
import {
  explainRefusal,
  forbiddenReadings,
  isServedEverywhere,
  readingsWithinScope,
  takesAnyReference,
} from './trace/refusal.ts';
import type { Reading, Trace } from './trace/trace.ts';

/** Records what the target does where the document is silent. Never finds a failure. */
export function* observeOpen(trace: Trace): Generator<Finding> {
  yield* observeScope(trace);
  yield* observeRefusals(trace);
  yield* observeQuestions(trace);
}

/** Whether the key may use every operation. */
function* observeScope(trace: Trace): Generator<Finding> {
  const question = trace.contract.openQuestions.find(({ kind }) => kind === 'key-issuance');
  if (question === undefined) return;
  const choice = (id: string): string | undefined =>
    question.choices.find((each) => each.id === id)?.id;
  for (const { exchange, operation } of forbiddenReadings(trace)) {
    const evidence = `${operation.id} answered 403 to every request with the key`;
    yield observed(question.id, choice('scoped'), exchange.index, evidence);
  }
  const last = trace.readings.at(-1);
  if (last !== undefined && isServedEverywhere(trace)) {
    const evidence = 'every operation served the key';
    yield observed(question.id, choice('full-access'), last.exchange.index, evidence);
  }
}

/** Refusals of valid requests that one question alone explains, but for those read apart. */
function* observeRefusals(trace: Trace): Generator<Finding> {
  for (const reading of readingsWithinScope(trace)) {
    if (reading.succeeded) continue;
    const [question, ...others] = explainRefusal(reading, trace);
    if (question === undefined || others.length > 0 || isReadApart(question, reading, trace))
      continue;
    const { status } = reading.response;
    const choice = status === 400 ? refusingChoice(question) : undefined;
    yield observed(question.id, choice, reading.exchange.index, `answered ${status}`);
  }
}

/** Its reader weighs what was refused against what was taken. */
function isReadApart(question: OpenQuestion, { operation }: Reading, trace: Trace): boolean {
  if (question.kind === 'string-limits') return true;
  return question.kind === 'reference' && takesAnyReference(question, operation.id, trace);
}

/** The choice under which a request may be refused, where only one does. */
function refusingChoice(question: OpenQuestion): string | undefined {
  const refusing = question.choices.filter((choice) => /refus|must-exist/.test(choice.id));
  return refusing.length === 1 ? refusing[0]?.id : undefined;
}
