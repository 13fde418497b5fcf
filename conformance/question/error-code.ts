import { isJsonObject } from '../../contract/json/value.ts';
import { quote } from '../judge/trace/words.ts';
import { observation, type QuestionKind } from './question.ts';

/** `error-code`: whether codes are statuses, their phrases or reasons. */
export const errorCode: QuestionKind = {
  *observe(_question, trace) {
    const member = trace.contract.error?.members.find((each) => each.role === 'code')?.name;
    if (member === undefined) return;
    for (const reading of [...trace.readings, ...trace.limited]) {
      const { json, status } = reading;
      const code = isJsonObject(json) && status >= 400 ? json[member] : undefined;
      if (typeof code !== 'string') continue;
      yield observation(reading, choicesOf(code, status), `${status} with ${quote(code)}`);
    }
  },
};

/** The reason phrases (RFC 9110 section 15), as one word. */
const phrases: Readonly<Record<number, string>> = {
  400: 'badrequest',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'notfound',
  405: 'methodnotallowed',
  406: 'notacceptable',
  415: 'unsupportedmediatype',
  422: 'unprocessablecontent',
  429: 'toomanyrequests',
};

/** A phrase other than `Bad Request` is a word for the reason as well. */
function choicesOf(code: string, status: number): readonly string[] {
  if (code === String(status)) return ['status-number'];
  const letters = code.replaceAll(/[^a-z]/gi, '').toLowerCase();
  if (letters === '') return [];
  if (letters !== phrases[status] || code === code.toLowerCase()) return ['reason'];
  return status === 400 ? ['status-phrase'] : ['status-phrase', 'reason'];
}
