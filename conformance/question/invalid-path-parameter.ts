import { forParameter, observeResponses, refusedAs, type QuestionKind } from './question.ts';

const values: readonly (readonly [value: string, way: string, rank: number])[] = [
  ['abc', 'letters', 1],
  [String(2n ** 63n), 'an integer beyond 64 bits', 3],
  ['1.5', 'a fraction', 3],
  ['null', 'the word null', 4],
  ['%', 'a percent sign', 4],
  ["1' OR '1'='1", 'an apostrophe', 4],
  ['9'.repeat(400), '400 digits', 4],
];

/** `invalid-path-parameter`: letters, and an integer of more than 64 bits. */
export const invalidPathParameter: QuestionKind = {
  trials: forParameter(({ name, schema }) =>
    values
      .filter(([, way]) => way !== 'an integer beyond 64 bits' || schema.shape().format === 'int64')
      .map(([value, way, rank]) => ({ way, rank, request: () => ({ path: { [name]: value } }) })),
  ),
  observe: observeResponses((reading, trace) =>
    // The URL as a whole was too long.
    reading.status === 414
      ? undefined
      : refusedAs(reading, trace, { 404: 'not-found', 400: 'refused' }),
  ),
};
