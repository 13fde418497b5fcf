import { renderJson } from '../../contract/json/value.ts';
import {
  forCreates,
  isServed,
  observeResponses,
  refusedAs,
  type QuestionKind,
} from './question.ts';

/** A byte order mark, which a reader of JSON may ignore (RFC 8259 section 8.1). */
const mark = '\ufeff';

/** Texts that are no JSON, made from a valid one; lenient readers take some of them. */
const ways: readonly (readonly [way: string, rank: number, breakText: (text: string) => string])[] =
  [
    ['a body that is no JSON', 1, () => '{"name": "cut off'],
    ['text behind the body', 2, (text) => `${text} and more`],
    ['two bodies', 3, (text) => `${text}\n${text}`],
    ['a comma behind the last member', 3, (text) => text.replace(/\}$/, ',}')],
    ['a comment in the body', 3, (text) => text.replace('{', '{/* new */')],
    ['names in apostrophes', 4, (text) => text.replaceAll('"', "'")],
    ['NaN as a value', 3, (text) => text.replace(/:[^:,}]*\}$/, ':NaN}')],
    ['a body of white space', 3, () => ' \n'],
    ['a byte order mark before the body', 4, (text) => `${mark}${text}`],
    ['an unescaped line break in a text', 4, (text) => text.replace(':"', ':"\n')],
    ['a number with a zero before it', 4, (text) => text.replace(/:(\d)/, ':0$1')],
  ];

/** `malformed-body`: several kinds of broken JSON. */
export const malformedBody: QuestionKind = {
  trials: forCreates((valid) =>
    ways.map(([way, rank, breakText]) => ({
      way,
      rank,
      request: (run) => ({ body: breakText(renderJson(valid(run))) }),
    })),
  ),
  observe: observeResponses((reading, trace) => {
    const isMarked = reading.exchange.request.body?.startsWith(mark) === true;
    return isServed(reading) && isMarked
      ? undefined
      : refusedAs(reading, trace, { 400: 'refused', 422: 'unprocessable' });
  }),
};
