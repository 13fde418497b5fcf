import {
  createPattern,
  isJsonObject,
  type JsonObject,
  type OpenQuestion,
} from '../../../contract/index.ts';
import { explainRefusal } from '../trace/refusal.ts';
import type { Reading, Trace } from '../trace/trace.ts';
import { quote } from '../trace/words.ts';
import { propertyAt, type Reader } from './reader.ts';

/** The first choice whose limits explain which texts were taken and which were refused with 400. */
export const readStringLimits: Reader = function* readStringLimits(question, trace) {
  const property = propertyAt(question, trace.contract);
  if (property === undefined) return;
  const trials = trace.readings.flatMap((reading) =>
    readTextTrial(reading, property, question, trace),
  );
  const last = trials.at(-1);
  if (last === undefined) return;
  const fitting = question.choices.find(({ details }) =>
    trials.every(({ value, refused }) => refused === (isTaken(value, details) ? undefined : 400)),
  );
  const refused = trials.filter((trial) => trial.refused !== undefined);
  yield {
    choice: fitting?.id,
    exchange: last.reading.exchange.index,
    evidence:
      refused.length === 0
        ? `took all ${trials.length} texts that were sent`
        : `refused ${refused
            .slice(0, 3)
            .map(({ value }) => quote(value))
            .join(', ')}`,
  };
};

/** A text that was sent, and whether it was taken; `refused` has the status where it was not. */
interface TextTrial {
  readonly value: string;
  readonly refused: number | undefined;
  readonly reading: Reading;
}

/** What a response tells of a text: nothing where it may have been refused for something else. */
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
  const [reason, ...others] = asks ? [question] : explainRefusal(reading, trace);
  const isSure =
    reason?.id === question.id && others.length === 0 && (status === 400 || status === 422);
  return isSure ? [{ value, refused: status, reading }] : [];
}

/** Lengths count code points, as those of JSON Schema. */
function isTaken(value: string, { minLength, maxLength, pattern }: JsonObject): boolean {
  const length = Array.from(value).length;
  if (typeof minLength === 'number' && length < minLength) return false;
  if (typeof maxLength === 'number' && length > maxLength) return false;
  return typeof pattern !== 'string' || createPattern(pattern).test(value);
}
