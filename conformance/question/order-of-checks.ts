import { forCreates, observeResponses, type QuestionKind } from './question.ts';

/** `order-of-checks`: two faults at once, one of them a missing key. */
export const orderOfChecks: QuestionKind = {
  trials: forCreates(() =>
    (
      [
        ['no key and a body that breaks the contract', '{}'],
        ['no key and a body that is no JSON', '{"name": "cut off'],
      ] as const
    ).map(([way, body]) => ({ way, rank: 3, request: () => ({ body, credential: 'missing' }) })),
  ),
  observe: observeResponses(({ status, sent }) => {
    if (status === 401) return ['credential-first'];
    // What is no JSON may get 422: that is another question.
    const isBody = status === 400 || (status === 422 && sent === undefined);
    return isBody ? ['body-first'] : [];
  }),
};
