import { headerOf } from '../../transport/exchange.ts';
import { readMediaType, type Reading, type Trace } from '../trace/trace.ts';
import { once } from '../../memo/once.ts';
import { describeResponse } from '../trace/words.ts';
import { hasKey, listSteps, type Step } from '../rate-limit/step.ts';
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
  const judgement = json === undefined ? undefined : contract.error?.schema.judge(json);
  if (judgement?.issues.length === 0 && judgement.undecided === undefined) return 'error';
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

/** Responses to the key that tell a whole quota, in order, none beside another. */
const quotaSteps = once((trace: Trace): readonly Step[] => {
  const { rateLimit } = trace.contract;
  return rateLimit === undefined
    ? []
    : listSteps(trace, rateLimit).filter(
        (step) =>
          hasKey(step) &&
          step.reading.exchange.group === undefined &&
          step.remaining !== undefined &&
          step.reset !== undefined,
      );
});

/** Responses that it takes to tell how windows go on. */
const enough = 5;

/** Milliseconds for which one Reset shows that it does not move with the requests. */
const standing = 3000;

/** `window-kind`: whether Reset is on the clock, stays elsewhere, or moves with each response. */
export const readWindowKind: Reader = function* readWindowKind(_question, trace) {
  const steps = quotaSteps(trace);
  const last = steps.at(-1);
  const seconds = trace.contract.rateLimit?.windows.map((window) => window.seconds) ?? [];
  const [shortest = 60] = seconds;
  if (last === undefined) return;
  const byReset = Map.groupBy(steps, ({ reset }) => reset ?? 0);
  const resets = [...byReset.keys()];
  const onClock = resets.every((reset) => reset % shortest === 0);
  const moves = resets.some(
    (reset, at) => at > 0 && Math.abs(reset - (resets[at - 1] ?? 0)) < shortest - 1,
  );
  const stays = [...byReset.values()].some(
    (own) => (own.at(-1)?.now ?? 0) - (own[0]?.now ?? 0) >= standing,
  );
  const evidence = `Reset ${resets.slice(0, 3).join(', ')} in ${steps.length} responses`;
  const seen = { exchange: last.reading.exchange.index, evidence };
  if (steps.length >= enough && onClock) yield { ...seen, choice: 'fixed' };
  else if (steps.length >= enough && moves) yield { ...seen, choice: 'sliding' };
  else if (stays) yield { ...seen, choice: 'from-first-request' };
  else yield { ...seen, choice: undefined, isUnclear: true };
};

/** `counted-requests`: whether Remaining falls with requests that were refused. */
export const readCountedRequests: Reader = function* readCountedRequests(_question, trace) {
  const steps = quotaSteps(trace);
  const pairs = steps.flatMap((step, at) => {
    const before = steps[at - 1];
    const isSame = before?.reset === step.reset && before?.limit === step.limit;
    return before !== undefined && isSame && !step.limited ? [{ step, before }] : [];
  });
  const drop = ({ step, before }: (typeof pairs)[number]): number =>
    (before.remaining ?? 0) - (step.remaining ?? 0);
  const served = pairs.filter(({ step }) => step.reading.response.status < 400);
  const refused = pairs.filter(({ step }) => step.reading.response.status >= 400);
  const last = refused.at(-1);
  if (last === undefined || served.length < enough || refused.length < enough) return;
  const counted = refused.filter((pair) => drop(pair) > 0).length;
  const evidence = `Remaining fell with ${counted} of ${refused.length} refused requests, and with ${served.filter((pair) => drop(pair) > 0).length} of ${served.length} served ones`;
  const seen = { exchange: last.step.reading.exchange.index, evidence };
  if (counted === 0 && served.every((pair) => drop(pair) > 0))
    yield { ...seen, choice: 'successful' };
  // Whether those over the limit are counted too does not show: Remaining is 0 by then.
  else yield { ...seen, choice: undefined, isUnclear: true };
};
