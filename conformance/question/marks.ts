import { everyChoice, observation, type QuestionKind } from './question.ts';

/** `marks`: a header that calls an operation experimental or beta; its absence shows nothing. */
export const marks: QuestionKind = {
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
