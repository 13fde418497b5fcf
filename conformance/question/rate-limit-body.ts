import { headerOf } from '../transport/exchange.ts';
import { readMediaType, type Reading, type Trace } from '../judge/trace/trace.ts';
import { describeResponse } from '../judge/trace/words.ts';
import { observation, refusedAs, type QuestionKind } from './question.ts';

/** `rate-limit-body`: the bodies of responses over the limit. */
export const rateLimitBody: QuestionKind = {
  *observe(_question, trace) {
    for (const reading of trace.limited)
      yield observation(reading, bodyKindsOf(reading, trace), describeResponse(reading.response));
  },
};

function bodyKindsOf(reading: Reading, trace: Trace): readonly string[] {
  const { response, status } = reading;
  if (response.body === '') return ['empty'];
  if (readMediaType(headerOf(response, 'content-type')) === 'text/plain') return ['text'];
  return refusedAs(reading, trace, { [status]: 'error' });
}
