import { isJsonObject } from '../../contract/json/value.ts';
import { forbiddenReadings, isServedEverywhere } from '../judge/trace/refusal.ts';
import { quote } from '../judge/trace/words.ts';
import { everyChoice, observation, type QuestionKinds } from './question.ts';

export const responseQuestions = {
  'error-code': {
    *observe(_question, trace) {
      const member = trace.contract.error?.members.find((each) => each.role === 'code')?.name;
      if (member === undefined) return;
      for (const reading of [...trace.readings, ...trace.limited]) {
        const { json, status } = reading;
        const code = isJsonObject(json) && status >= 400 ? json[member] : undefined;
        if (typeof code !== 'string') continue;
        yield observation(reading, codeKindsOf(code, status), `${status} with ${quote(code)}`);
      }
    },
  },
  /** A key that may not use every operation. One that may proves nothing about others. */
  'key-issuance': {
    *observe(question, _trace, whole) {
      for (const reading of forbiddenReadings(whole)) {
        const evidence = `${reading.operation.id} returned 403 for every request with the key`;
        yield observation(reading, ['scoped'], evidence);
      }
      const last = whole.readings.at(-1);
      const evidence = 'every operation accepted the key; other keys may have fewer rights';
      if (last !== undefined && isServedEverywhere(whole))
        yield observation(last, everyChoice(question), evidence);
    },
  },
  /** A header that calls an operation experimental or beta; its absence shows nothing. */
  marks: {
    *observe(question, { readings }) {
      const marked = readings.find(({ response }) => response.headers.some(isMark));
      const mark = marked?.response.headers.find(isMark);
      const last = readings.at(-1);
      if (marked !== undefined && mark !== undefined)
        yield observation(marked, ['marked'], `${marked.operation.id} returned ${mark.join(': ')}`);
      else if (last !== undefined) {
        const evidence = `no header in ${readings.length} responses marks an operation`;
        yield observation(last, everyChoice(question), evidence);
      }
    },
  },
} satisfies QuestionKinds;

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

/** A phrase other than `Bad Request` also describes the reason. */
function codeKindsOf(code: string, status: number): readonly string[] {
  if (code === String(status)) return ['status-number'];
  const letters = code.replaceAll(/[^a-z]/gi, '').toLowerCase();
  if (letters === '') return [];
  if (letters !== phrases[status] || code === code.toLowerCase()) return ['reason'];
  return status === 400 ? ['status-phrase'] : ['status-phrase', 'reason'];
}

/** Their values are names of possible headers, not headers that were received. */
const listsOfNames: ReadonlySet<string> = new Set([
  'access-control-allow-headers',
  'access-control-expose-headers',
  'trailer',
  'vary',
]);

function isMark([name, value]: readonly [string, string]): boolean {
  if (listsOfNames.has(name.toLowerCase())) return false;
  return /experimental|\bbeta\b/i.test(`${name} ${value}`);
}
