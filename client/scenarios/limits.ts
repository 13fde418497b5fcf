import type { Contract } from '../../contract/contract.ts';
import type { ScenarioDraft, ScenarioMaker, Step } from './scenario.ts';

/** Waits are one to three seconds: `Retry-After` has no smaller unit. A client may give up. */
export const limitScenarios: readonly ScenarioMaker[] = [
  limited({
    id: 'retry-after-seconds',
    sentence: 'The first request gets a 429, with Retry-After in seconds.',
    start: { choices: { 'retry-after-format': 'seconds' } },
    steps: new Map([[1, spentFor(3)]]),
  }),
  limited(
    {
      id: 'retry-after-date',
      sentence: 'The first request gets a 429, with Retry-After as a date.',
      start: { choices: { 'retry-after-format': 'http-date' } },
      steps: new Map([[1, spentFor(2)]]),
    },
    ({ openQuestions }) =>
      openQuestions.some(
        ({ kind, choices }) =>
          kind === 'retry-after-format' && choices.some(({ id }) => id === 'http-date'),
      ),
  ),
  limited({
    id: 'repeated-429',
    sentence: 'The first three requests get a 429 each, though the client waits in between.',
    needs: { operation: undefined, requests: 4 },
    steps: new Map([1, 2, 3].map((request) => [request, spentFor(1)])),
  }),
  limited(
    {
      id: 'banned-key',
      sentence: 'The key is banned for two seconds at the first request, which gets a 429.',
      steps: new Map([[1, { banSeconds: 1.95 }]]),
    },
    ({ rateLimit }) => rateLimit?.bans === true,
  ),
  limited({
    id: 'nothing-remaining',
    sentence:
      'The first response says that no requests remain. The limit resets two or three seconds later.',
    steps: new Map([[1, { quota: { left: 1, seconds: 2 } }]]),
  }),
];

/** A scenario for documents that limit requests, and have plans to limit them by. */
function limited(
  draft: ScenarioDraft,
  canHappen: (contract: Contract) => boolean = () => true,
): ScenarioMaker {
  return (contract) =>
    (contract.rateLimit?.plans.length ?? 0) > 0 && canHappen(contract)
      ? { ...draft, mustSucceed: false }
      : undefined;
}

/**
 * A window that was spent by others with the same key, so that no count could have warned the
 * client. It ends a little before `Retry-After` says, so that a client that waits exactly that long
 * is let in.
 */
function spentFor(seconds: number): Step {
  return { quota: { left: 0, seconds: seconds - 0.05 } };
}
