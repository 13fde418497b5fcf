import { forLists, isServed, observeResponses, refusedAs, type QuestionKind } from './question.ts';

/** `accept`: a list for a client that takes no JSON. */
export const accept: QuestionKind = {
  trials: forLists(() => [
    {
      way: 'Accept: application/xml',
      rank: 2,
      request: () => ({ headers: { accept: 'application/xml' } }),
    },
  ]),
  observe: observeResponses((reading, trace) => {
    if (isServed(reading)) return reading.content === undefined ? [] : ['ignored'];
    return refusedAs(reading, trace, { 406: 'not-acceptable' });
  }),
};
