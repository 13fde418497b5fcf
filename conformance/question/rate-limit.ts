import { smallest } from '../../contract/list/list.ts';
import { once } from '../memo/once.ts';
import { hasKey, listSteps, type Step } from '../family/rate-limit/step.ts';
import { readMediaType, type Reading, type Trace } from '../judge/trace/trace.ts';
import { describeResponse } from '../judge/trace/words.ts';
import { type Exchange, headerOf } from '../transport/exchange.ts';
import { everyChoice, isRefused, type QuestionKind } from './question.ts';

/** `rate-limit-body`: the bodies of responses over the limit. */
export const rateLimitBody: QuestionKind = {
  *observe(_question, trace) {
    for (const reading of trace.limited)
      yield {
        choices: bodyKindsOf(reading, trace),
        exchange: reading.exchange.index,
        evidence: describeResponse(reading.response),
      };
  },
};

function bodyKindsOf(reading: Reading, trace: Trace): readonly string[] {
  const { response } = reading;
  if (response.body === '') return ['empty'];
  if (readMediaType(headerOf(response, 'content-type')) === 'text/plain') return ['text'];
  return isRefused(reading, trace, response.status) ? ['error'] : [];
}

/** HTTP-date in its three forms (RFC 9110 section 5.6.7). */
const httpDate =
  /^(?:\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT|\w{6,9}, \d\d-\w{3}-\d\d \d\d:\d\d:\d\d GMT|\w{3} \w{3} [\d ]\d \d\d:\d\d:\d\d \d{4})$/;

/** `retry-after-format`: the forms of the headers that say how long to wait. */
export const retryAfterFormat: QuestionKind = {
  *observe(_question, trace) {
    const name = trace.contract.rateLimit?.headers.retryAfter ?? 'retry-after';
    for (const { response, exchange } of trace.limited) {
      const text = headerOf(response, name);
      if (text === undefined) continue;
      // A number of ten digits is a Unix time.
      const seconds = /^\d{1,9}$/.test(text) ? ['seconds'] : [];
      yield {
        choices: httpDate.test(text) ? ['http-date'] : seconds,
        exchange: exchange.index,
        evidence: `Retry-After: ${text}`,
      };
    }
  },
};

/** A step with a whole quota. */
interface QuotaStep {
  readonly reading: Reading;
  readonly limited: boolean;
  readonly limit: number | undefined;
  readonly remaining: number;
  /** Unix seconds. */
  readonly reset: number;
  readonly seconds: number;
}

/** Responses with a whole quota, in order, none of a request beside another. */
const quotaSteps = once((trace: Trace): readonly (QuotaStep & { readonly step: Step })[] => {
  const { rateLimit } = trace.contract;
  if (rateLimit === undefined) return [];
  return listSteps(trace, rateLimit).flatMap((step) => {
    const { reading, limited, limit, remaining, reset, now } = step;
    return reading.exchange.group !== undefined || remaining === undefined || reset === undefined
      ? []
      : [{ step, reading, limited, limit, remaining, reset, seconds: now / 1000 }];
  });
});

interface StepPair {
  readonly before: QuotaStep;
  readonly step: QuotaStep;
}

const isKeyed = ({ request }: Exchange): boolean => request.credential === 'valid';

/** Each step with the one before it, where both show the same limit and nothing came between. */
function pairsOf(steps: readonly QuotaStep[], { exchanges }: Trace): readonly StepPair[] {
  const positions = new Map(exchanges.map(({ index }, position) => [index, position]));
  const positionOf = ({ reading }: QuotaStep): number => positions.get(reading.exchange.index) ?? 0;
  return steps.flatMap((step, index) => {
    const before = steps[index - 1];
    if (before === undefined || before.limit !== step.limit) return [];
    const kind = isKeyed(step.reading.exchange);
    const between = exchanges.slice(positionOf(before) + 1, positionOf(step));
    return between.some((each) => isKeyed(each) === kind) ? [] : [{ before, step }];
  });
}

const keySteps = (trace: Trace): readonly QuotaStep[] =>
  quotaSteps(trace).filter(({ step }) => hasKey(step));

/** Responses that it takes to show how windows go on, or which requests count. */
const enough = 5;

/** `window-kind`: what Reset shows of when windows start and end. */
export const windowKind: QuestionKind = {
  *observe(_question, trace) {
    const steps = keySteps(trace);
    const [first] = steps;
    const last = steps.at(-1);
    const windows = trace.contract.rateLimit?.windows ?? [];
    if (first === undefined || last === undefined || steps.length < enough) return;
    const length = smallest(windows.map((window) => window.seconds));
    const pairs = pairsOf(steps, trace);
    const isOnClock = steps.every(({ reset }) => reset % length === 0);
    // A window that a request opens begins on the clock by chance only.
    const isOpened = isOnClock && first.reset - length < first.seconds - 2;
    const isMoved = pairs.some(
      ({ before, step }) =>
        Math.abs(step.reset - before.reset) >= 1 &&
        (step.reset < before.reset + length - 1 || step.seconds < before.reset - 1),
    );
    // A sliding window has the earlier requests of the last minute in it: it is reset before that.
    const isStarted = pairs.some(
      ({ before, step }) =>
        step.seconds >= before.reset &&
        before.seconds > step.seconds - length + 1 &&
        step.reset > before.seconds + length + 1,
    );
    const resets = [...new Set(steps.map(({ reset }) => reset))];
    yield {
      choices: [
        ...(isOnClock && !isMoved ? ['fixed'] : []),
        ...(isMoved || isOpened ? [] : ['from-first-request']),
        ...(isStarted || isOpened ? [] : ['sliding']),
      ],
      exchange: last.reading.exchange.index,
      evidence: `Reset ${resets.slice(0, 3).join(', ')} in ${steps.length} responses`,
    };
  },
};

const drop = ({ before, step }: StepPair): number => before.remaining - step.remaining;

const isSameWindow = ({ before, step }: StepPair): boolean => before.reset === step.reset;

interface CountedPairs {
  readonly served: readonly StepPair[];
  readonly refused: readonly StepPair[];
}

/** Within one window, by whether the later request was served; enough of each, or none. */
function countedPairs(trace: Trace): CountedPairs | undefined {
  const pairs = pairsOf(keySteps(trace), trace).filter(
    (pair) => isSameWindow(pair) && !pair.step.limited && !pair.before.limited,
  );
  const served = pairs.filter(({ step }) => step.reading.response.status < 400);
  const refused = pairs.filter(({ step }) => step.reading.response.status >= 400);
  return served.length < enough || refused.length < enough ? undefined : { served, refused };
}

/** `counted-requests`: whether Remaining falls with requests that were refused. */
export const countedRequests: QuestionKind = {
  *observe(_question, trace) {
    const pairs = countedPairs(trace);
    const last = pairs?.refused.at(-1);
    // Where served requests do not count, Remaining shows nothing.
    if (pairs === undefined || last === undefined || pairs.served.some((pair) => drop(pair) <= 0))
      return;
    const counted = pairs.refused.filter((pair) => drop(pair) > 0).length;
    yield {
      choices: [
        // Whether those over the limit count too does not show: Remaining is 0 by then.
        ...(counted === pairs.refused.length ? ['all', 'within-limit'] : []),
        ...(counted === 0 ? ['successful'] : []),
      ],
      exchange: last.step.reading.exchange.index,
      evidence: `Remaining decreased with ${counted} of ${pairs.refused.length} rejected requests, and with all ${pairs.served.length} accepted ones`,
    };
  },
};

/** `anonymous-callers`: whether Remaining falls with requests without a key. */
export const anonymousCallers: QuestionKind = {
  *observe(question, trace) {
    const steps = quotaSteps(trace).filter(
      ({ reading }) => reading.exchange.request.credential === 'missing',
    );
    const pairs = pairsOf(steps, trace).filter(isSameWindow);
    const last = steps.at(-1);
    if (last === undefined || pairs.length < 2) return;
    const counted = pairs.filter((pair) => drop(pair) > 0).length;
    const keyed = countedPairs(trace);
    const areRefusalsCounted = keyed?.refused.every((pair) => drop(pair) > 0) === true;
    const seen = {
      exchange: last.reading.exchange.index,
      evidence: `Remaining decreased with ${counted} of ${pairs.length} requests without a key`,
    };
    if (counted === pairs.length) yield { ...seen, choices: ['by-address', 'together'] };
    else if (pairs.every((pair) => drop(pair) === 0))
      // Else they may be left out as other refused requests are.
      yield { ...seen, choices: areRefusalsCounted ? ['uncounted'] : everyChoice(question) };
  },
};
