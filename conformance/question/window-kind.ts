import { smallest } from '../../contract/list/list.ts';
import { observation, type QuestionKind } from './question.ts';
import { enough, keySteps, pairsOf } from './quota.ts';

/** `window-kind`: what Reset shows of when windows start and end. */
export const windowKind: QuestionKind = {
  *observe(_question, trace) {
    const steps = keySteps(trace);
    const [first] = steps;
    const last = steps.at(-1);
    if (first === undefined || last === undefined || steps.length < enough) return;
    const windows = trace.contract.rateLimit?.windows ?? [];
    const length = smallest(windows.map(({ seconds }) => seconds));
    const pairs = pairsOf(steps, trace).map(({ before, step }) => ({
      before: { at: before.now / 1000, reset: before.reset },
      after: { at: step.now / 1000, reset: step.reset },
    }));
    const isOnClock = steps.every(({ reset }) => reset % length === 0);
    // A window that a request opens begins on the clock by chance only.
    const isOpened = isOnClock && first.reset - length < first.now / 1000 - 2;
    const isMoved = pairs.some(
      ({ before, after }) =>
        Math.abs(after.reset - before.reset) >= 1 &&
        (after.reset < before.reset + length - 1 || after.at < before.reset - 1),
    );
    // A sliding window has the earlier requests of the last minute in it: it is reset before that.
    const isStarted = pairs.some(
      ({ before, after }) =>
        after.at >= before.reset &&
        before.at > after.at - length + 1 &&
        after.reset > before.at + length + 1,
    );
    const choices = [
      ...(isOnClock && !isMoved ? ['fixed'] : []),
      ...(isMoved || isOpened ? [] : ['from-first-request']),
      ...(isStarted || isOpened ? [] : ['sliding']),
    ];
    const resets = [...new Set(steps.map(({ reset }) => reset))].slice(0, 3).join(', ');
    yield observation(last.reading, choices, `Reset ${resets} in ${steps.length} responses`);
  },
};
