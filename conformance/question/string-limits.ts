import { createPattern } from '../../contract/pattern/pattern.ts';
import { isJsonObject, renderJson, type JsonObject } from '../../contract/json/value.ts';
import { openMember, type OpenQuestion } from '../../contract/openapi/open-question.ts';
import { soleReason } from '../judge/trace/refusal.ts';
import type { Reading, Trace } from '../judge/trace/trace.ts';
import { quote } from '../judge/trace/words.ts';
import {
  choicesWhere,
  forCreates,
  observeValues,
  propertyAt,
  type QuestionKind,
} from './question.ts';

/** `string-limits`: the choices whose limits explain which texts were accepted and which refused. */
export const stringLimits: QuestionKind = {
  trials: forCreates((valid, question) => [
    {
      way: 'an empty text',
      rank: 2,
      request: (run) => ({ body: renderJson({ ...valid(run), [openMember(question)]: '' }) }),
    },
  ]),
  *observe(question, trace) {
    const property = propertyAt(question, trace.contract);
    if (property === undefined) return;
    const trials = trace.readings.flatMap((reading) => {
      const text = isJsonObject(reading.sent) ? reading.sent[property] : undefined;
      if (typeof text !== 'string' || !isTelling(reading, question, trace)) return [];
      const choices = choicesWhere(question, ({ details }) =>
        reading.status < 300
          ? isAllowed(text, details)
          : reading.status === 400 && !isAllowed(text, details),
      );
      return [{ value: quote(text), reading, choices }];
    });
    yield* observeValues(trials, property);
  },
};

/** False where a text may have been refused for something else. */
function isTelling(reading: Reading, question: OpenQuestion, trace: Trace): boolean {
  const { status, isValid, exchange } = reading;
  const asks = exchange.intent.kind === 'open' && exchange.intent.question === question.id;
  if (status < 300) return asks || isValid;
  return asks
    ? status >= 400 && status < 500 && status !== 401
    : isValid && soleReason(reading, trace) === question;
}

/** Lengths count code points, as those of JSON Schema. */
function isAllowed(value: string, { minLength, maxLength, pattern }: JsonObject): boolean {
  const length = Array.from(value).length;
  if (typeof minLength === 'number' && length < minLength) return false;
  if (typeof maxLength === 'number' && length > maxLength) return false;
  return typeof pattern !== 'string' || createPattern(pattern).test(value);
}
