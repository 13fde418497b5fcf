import { everyChoice, type QuestionKind } from './question.ts';

/** `marks`: a header that calls an operation experimental or beta; its absence shows nothing. */
export const marks: QuestionKind = {
  *observe(question, trace) {
    const marked = trace.readings.find(({ response }) => response.headers.some(isMark));
    const mark = marked?.response.headers.find(isMark);
    const last = trace.readings.at(-1);
    if (marked !== undefined && mark !== undefined)
      yield {
        choices: ['marked'],
        exchange: marked.exchange.index,
        evidence: `${marked.operation.id} returned ${mark.join(': ')}`,
      };
    else if (last !== undefined)
      yield {
        choices: everyChoice(question),
        exchange: last.exchange.index,
        evidence: `no header in ${trace.readings.length} responses marks an operation`,
      };
  },
};

/** Their values are names of headers that may come, not headers that came. */
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
