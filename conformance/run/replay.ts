import { requirementsOf } from '../family/requirements.ts';
import type { Contract } from '../../contract/contract.ts';
import { PetstoreError } from '../../contract/error/petstore-error.ts';
import { createCarrier, systemClock } from '../transport/carrier.ts';
import type { Counterexample } from '../counterexample/counterexample.ts';
import { explainFirst } from '../transport/unusable-target.ts';
import type { Exchange } from '../transport/exchange.ts';
import { type RunOptions, type RunSettings, settleRun } from './settings.ts';
import { useSender } from '../transport/sender.ts';
import { sendCounterexample } from '../counterexample/send.ts';
import { isUnreached, SessionEnd } from '../transport/pacing.ts';
import { UnsendableRequest } from '../transport/request-parts.ts';
import { Session } from '../transport/session.ts';
import { createTags } from '../generate/tag.ts';
import { operationOf, type Target } from '../transport/target.ts';
import { findAll, settleFindings, type Verdict } from '../judge/verdict.ts';

/** What a replay showed. */
export interface Replay {
  /** `failed`: the failure is still there; `passed`: it is no longer. */
  readonly verdict: Verdict;
  readonly exchanges: readonly Exchange[];
}

/** Requests beyond those of the counterexample that a replay may need when the target says 429. */
const extraRequests = 4;

/**
 * Sends the requests of one counterexample, and no others, and judges its requirement.
 * @throws {PetstoreError} if the counterexample does not fit the contract
 * @throws {PetstoreError} for a base address that cannot be used
 * @throws {PetstoreError} if nobody is there, or not the service that the contract describes
 */
export async function replayCounterexample(
  contract: Contract,
  target: Target,
  counterexample: Counterexample,
  options: RunOptions = {},
): Promise<Replay> {
  const requirement = requirementsOf(contract).get(counterexample.requirement);
  if (requirement === undefined)
    throw new PetstoreError(
      'replay',
      `The contract has no requirement ${counterexample.requirement}.`,
    );
  const { clock = systemClock, watcher } = options;
  const settings = settleRun(contract, target, options);
  await using sender = useSender(options.sender, settings);
  const carrier = createCarrier(
    { ...target, baseUrl: settings.baseUrl },
    { clock, sender, onWait: watcher?.onWait },
  );
  const budget = counterexample.steps.length + extraRequests;
  const { next: nextTag } = createTags(counterexample.steps.length, clock.now());
  const limits = { baseUrl: settings.baseUrl, budget, longestWait: settings.longestWait, nextTag };
  const session = new Session(contract, carrier, limits);
  session.probe = 'replay';
  const references = new Map(Object.entries(settings.references));
  try {
    await sendCounterexample(counterexample, session, { nextTag, references });
  } catch (error) {
    if (error instanceof UnsendableRequest)
      throw new PetstoreError('replay', `The counterexample cannot be sent: ${error.message}.`);
    if (!(error instanceof SessionEnd)) throw error;
  }
  ensureAnswered(session.exchanges, settings, contract);
  const findings = findAll(contract, session.exchanges, {
    plan: counterexample.plan,
    exclusive: settings.exclusive,
  });
  const verdict = settleFindings(requirement, findings.get(requirement.id) ?? [], () => ({
    kind: 'nothing-to-send',
    text: 'the responses do not show it: the target is in another state, or rejected what the counterexample depends on',
  }));
  return { verdict, exchanges: session.exchanges };
}

function ensureAnswered(
  [first]: readonly Exchange[],
  settings: RunSettings,
  contract: Contract,
): void {
  if (first === undefined) return;
  const { outcome, intent, request } = first;
  const isTelling =
    outcome.kind === 'no-response'
      ? isUnreached(first)
      : intent.kind === 'valid' && !operationOf(contract, request.operation)?.path.includes('{');
  const cause = isTelling ? explainFirst(first, settings, contract) : undefined;
  if (cause !== undefined) throw new PetstoreError('inconclusive', cause);
}
