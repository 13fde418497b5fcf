import { headerOf } from '../transport/exchange.ts';
import { observation, type QuestionKind } from './question.ts';

/** HTTP-date in its three forms (RFC 9110 section 5.6.7). */
const httpDate =
  /^(?:\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT|\w{6,9}, \d\d-\w{3}-\d\d \d\d:\d\d:\d\d GMT|\w{3} \w{3} [\d ]\d \d\d:\d\d:\d\d \d{4})$/;

/** `retry-after-format`: the forms of the headers that say how long to wait. */
export const retryAfterFormat: QuestionKind = {
  *observe(_question, trace) {
    const name = trace.contract.rateLimit?.headers.retryAfter ?? 'retry-after';
    for (const reading of trace.limited) {
      const text = headerOf(reading.response, name);
      if (text === undefined) continue;
      // A number of ten digits is a Unix time.
      const seconds = /^\d{1,9}$/.test(text) ? ['seconds'] : [];
      const choices = httpDate.test(text) ? ['http-date'] : seconds;
      yield observation(reading, choices, `Retry-After: ${text}`);
    }
  },
};
