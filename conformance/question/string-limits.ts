import { createPattern } from '../../contract/pattern/pattern.ts';
import { isJsonObject, renderJson, type JsonObject } from '../../contract/json/value.ts';
import { openMember, type OpenQuestion } from '../../contract/openapi/open-question.ts';
import { soleReason } from '../judge/trace/refusal.ts';
import type { Reading, Trace } from '../judge/trace/trace.ts';
import { quote } from '../judge/trace/words.ts';
import { validBody } from '../probes/valid-request.ts';
import {
  choicesWhere,
  describeValues,
  forCreates,
  propertyAt,
  type QuestionKind,
} from './question.ts';

/** `string-limits`: the choices whose limits explain which texts were accepted and which refused. */
export const stringLimits: QuestionKind = {
  trials: forCreates((create, resource, question) => [
    {
      way: 'an empty text',
      operation: create,
      rank: 2,
      request: (run) => ({
        body: renderJson({ ...validBody(create, resource, run), [openMember(question)]: '' }),
      }),
    },
  ]),
  *observe(question, trace) {
    const property = propertyAt(question, trace.contract);
    if (property === undefined) return;
    const trials = trace.readings.flatMap((reading) =>
      readTextTrial(reading, property, question, trace),
    );
    const groups = Map.groupBy(trials, ({ value, refused }) =>
      choicesWhere(
        question,
        ({ details }) => refused === (isAllowed(value, details) ? undefined : 400),
      ).join(),
    );
    for (const [choices, own] of groups) {
      const [first] = own;
      if (first === undefined) continue;
      const texts = own.map(({ value }) => quote(value));
      const did = first.refused === undefined ? 'accepted' : `rejected (${first.refused})`;
      const evidence = describeValues(did, texts, `\`${property}\``);
      const exchange = first.reading.exchange.index;
      yield { choices: choices === '' ? [] : choices.split(','), exchange, evidence };
    }
  },
};

/** A text that was sent, and whether it was accepted; `refused` has the status where it was not. */
interface TextTrial {
  readonly value: string;
  readonly refused: number | undefined;
  readonly reading: Reading;
}

/** What a response says of a text: nothing where it may have been refused for something else. */
function readTextTrial(
  reading: Reading,
  property: string,
  question: OpenQuestion,
  trace: Trace,
): readonly TextTrial[] {
  const value = isJsonObject(reading.sent) ? reading.sent[property] : undefined;
  const { intent } = reading.exchange;
  const { status } = reading.response;
  const asks = intent.kind === 'open' && intent.question === question.id;
  if (typeof value !== 'string' || !(asks || intent.kind === 'valid')) return [];
  if (status < 300) return [{ value, refused: undefined, reading }];
  const isRefused = asks
    ? status >= 400 && status < 500 && status !== 401
    : soleReason(reading, trace) === question;
  return isRefused ? [{ value, refused: status, reading }] : [];
}

/** Lengths count code points, as those of JSON Schema. */
function isAllowed(value: string, { minLength, maxLength, pattern }: JsonObject): boolean {
  const length = Array.from(value).length;
  if (typeof minLength === 'number' && length < minLength) return false;
  if (typeof maxLength === 'number' && length > maxLength) return false;
  return typeof pattern !== 'string' || createPattern(pattern).test(value);
}
