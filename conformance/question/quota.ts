import { smallest } from '../../contract/list/list.ts';
import { listSteps, type Step } from '../family/rate-limit.ts';
import { readMediaType, type Trace } from '../judge/trace/trace.ts';
import { describeResponse } from '../judge/trace/words.ts';
import { headerOf } from '../transport/exchange.ts';
import { everyChoice, observation, refusedAs, type QuestionKinds } from './question.ts';

/** HTTP-date in its three forms (RFC 9110 section 5.6.7). */
const httpDate =
  /^(?:\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT|\w{6,9}, \d\d-\w{3}-\d\d \d\d:\d\d:\d\d GMT|\w{3} \w{3} [\d ]\d \d\d:\d\d:\d\d \d{4})$/;

export const quotaQuestions = {
  /** Whether Remaining falls with requests without a key. */
  'anonymous-callers': {
    *observe(question, trace) {
      const steps = quotaSteps(trace).filter(
        ({ reading }) => reading.exchange.request.credential === 'missing',
      );
      const drops = pairsOf(steps, trace).filter(isSameWindow).map(dropOf);
      const last = steps.at(-1)?.reading;
      if (last === undefined || drops.length < 2) return;
      const counted = drops.filter((drop) => drop > 0).length;
      const areRefusalsCounted = countedDrops(trace)?.refused.every((drop) => drop > 0) === true;
      const evidence = `Remaining decreased with ${counted} of ${drops.length} requests without a key`;
      if (counted === drops.length) yield observation(last, ['by-address', 'together'], evidence);
      else if (drops.every((drop) => drop === 0)) {
        // Otherwise they may be uncounted for the same reason as other refused requests.
        const choices = areRefusalsCounted ? ['uncounted'] : everyChoice(question);
        yield observation(last, choices, evidence);
      }
    },
  },
  /** Whether Remaining falls with requests that were refused. */
  'counted-requests': {
    *observe(_question, trace) {
      const drops = countedDrops(trace);
      // If served requests do not count, Remaining shows nothing.
      if (drops === undefined || drops.served.some((drop) => drop <= 0)) return;
      const { served, refused, last } = drops;
      const counted = refused.filter((drop) => drop > 0).length;
      const choices = [
        // Remaining is 0 by then, so it does not show whether requests over the limit count.
        ...(counted === refused.length ? ['all', 'within-limit'] : []),
        ...(counted === 0 ? ['successful'] : []),
      ];
      const evidence = `Remaining decreased with ${counted} of ${refused.length} rejected requests, and with all ${served.length} accepted ones`;
      yield observation(last, choices, evidence);
    },
  },
  'rate-limit-body': {
    *observe(_question, trace) {
      for (const reading of trace.limited) {
        const { response, status } = reading;
        const isText = readMediaType(headerOf(response, 'content-type')) === 'text/plain';
        const kind = response.body === '' ? 'empty' : isText ? 'text' : undefined;
        const choices = kind ? [kind] : refusedAs(reading, trace, { [status]: 'error' });
        yield observation(reading, choices, describeResponse(response));
      }
    },
  },
  'retry-after-format': {
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
  },
  /** What Reset shows about the start and end of windows. */
  'window-kind': {
    *observe(_question, trace) {
      const steps = keySteps(trace);
      const [first] = steps;
      const last = steps.at(-1);
      if (first === undefined || last === undefined || steps.length < enough) return;
      const windows = trace.contract.rateLimit?.windows ?? [];
      const length = smallest(windows.map(({ seconds }) => seconds));
      const pairs = pairsOf(steps, trace);
      const isOnClock = steps.every(({ reset }) => reset % length === 0);
      // A window that starts with a request starts on a full minute only by chance.
      const isOpened = isOnClock && first.reset - length < first.now / 1000 - 2;
      const isMoved = pairs.some(
        ({ before, step }) =>
          Math.abs(step.reset - before.reset) >= 1 &&
          (step.reset < before.reset + length - 1 || step.now / 1000 < before.reset - 1),
      );
      // A sliding window includes the requests of the last minute, so it resets earlier.
      const isStarted = pairs.some(({ before, step }) => {
        const [from, at] = [before.now / 1000, step.now / 1000];
        return at >= before.reset && from > at - length + 1 && step.reset > from + length + 1;
      });
      const choices = [
        ...(isOnClock && !isMoved ? ['fixed'] : []),
        ...(isMoved || isOpened ? [] : ['from-first-request']),
        ...(isStarted || isOpened ? [] : ['sliding']),
      ];
      const resets = [...new Set(steps.map(({ reset }) => reset))].slice(0, 3).join(', ');
      yield observation(last.reading, choices, `Reset ${resets} in ${steps.length} responses`);
    },
  },
} satisfies QuestionKinds;

/** A response with a whole quota; `reset` in Unix seconds. */
interface QuotaStep extends Step {
  readonly remaining: number;
  readonly reset: number;
}

/**
 * Two responses with the same limit, and none in between whose request had the same kind of key.
 */
interface StepPair {
  readonly before: QuotaStep;
  readonly step: QuotaStep;
}

/** Fewest responses that show how windows continue, or which requests count. */
const enough = 5;

/** Responses with a whole quota, in order, without concurrent ones. */
function quotaSteps(trace: Trace): readonly QuotaStep[] {
  return listSteps(trace).flatMap((step) => {
    const { reading, remaining, reset } = step;
    const isWhole = reading.isAlone && remaining !== undefined && reset !== undefined;
    return isWhole ? [{ ...step, remaining, reset }] : [];
  });
}

function keySteps(trace: Trace): readonly QuotaStep[] {
  return quotaSteps(trace).filter(({ reading }) => reading.hasKey);
}

/**
 * Pairs each step with its predecessor, unless the limit changed or another request was counted.
 */
function pairsOf(steps: readonly QuotaStep[], { exchanges }: Trace): readonly StepPair[] {
  const positions = new Map(exchanges.map(({ index }, position) => [index, position]));
  const positionOf = ({ reading }: QuotaStep): number => positions.get(reading.index) ?? 0;
  return steps.flatMap((step, index) => {
    const before = steps[index - 1];
    if (before === undefined || before.limit !== step.limit) return [];
    const between = exchanges.slice(positionOf(before) + 1, positionOf(step));
    const isKeyed = step.reading.hasKey;
    return between.some(({ request }) => (request.credential === 'valid') === isKeyed)
      ? []
      : [{ before, step }];
  });
}

function dropOf({ before, step }: StepPair): number {
  return before.remaining - step.remaining;
}

function isSameWindow({ before, step }: StepPair): boolean {
  return before.reset === step.reset;
}

/**
 * By how much Remaining fell within a window, for served and for refused requests, if there are
 * enough of each.
 */
function countedDrops(trace: Trace) {
  const pairs = pairsOf(keySteps(trace), trace).filter(
    (pair) => isSameWindow(pair) && !pair.step.limited && !pair.before.limited,
  );
  const served = pairs.filter(({ step }) => step.reading.status < 400);
  const refused = pairs.filter(({ step }) => step.reading.status >= 400);
  const last = refused.at(-1)?.step.reading;
  if (last === undefined || served.length < enough || refused.length < enough) return undefined;
  return { served: served.map(dropOf), refused: refused.map(dropOf), last };
}
