import { headerOf } from '../../transport/exchange.ts';
import { readMediaType, type Reading, type Trace } from '../trace/trace.ts';
import { describeResponse } from '../trace/words.ts';
import type { Reader } from './reader.ts';

/** `rate-limit-body`: the body of the first refusal for the limit. */
export const readRateLimitBody: Reader = function* readRateLimitBody(_question, trace) {
  const [reading] = trace.limited;
  if (reading !== undefined)
    yield {
      choice: bodyKindOf(reading, trace),
      exchange: reading.exchange.index,
      evidence: describeResponse(reading.response),
    };
};

function bodyKindOf({ response, json }: Reading, { contract }: Trace): string | undefined {
  if (response.body === '') return 'empty';
  if (json !== undefined && contract.error?.schema.validate(json).length === 0) return 'error';
  return readMediaType(headerOf(response, 'content-type')) === 'text/plain' ? 'text' : undefined;
}

/** `retry-after-format`: the form of the first header that says how long to wait. */
export const readRetryAfterFormat: Reader = function* readRetryAfterFormat(_question, trace) {
  const name = trace.contract.rateLimit?.headers.retryAfter ?? 'retry-after';
  for (const { response, exchange } of trace.limited) {
    const text = headerOf(response, name);
    if (text === undefined) continue;
    const isDate = !Number.isNaN(Date.parse(text));
    const choice = /^\d+$/.test(text) ? 'seconds' : isDate ? 'http-date' : undefined;
    yield { choice, exchange: exchange.index, evidence: `Retry-After: ${text}` };
    return;
  }
};
