import {
  type Clock,
  createMovableClock,
  parseBaseUrl,
  type RunOptions,
  type RunPlan,
  type Target,
} from '../../conformance/index.ts';
import type { Contract } from '../../contract/contract.ts';
import { PetstoreError } from '../../contract/error/petstore-error.ts';
import type { Mock } from '../../mock/index.ts';
import { show, type VisibleText } from '../../page/view/visible.ts';
import { listPlan, waitingSeconds } from '../../report/index.ts';
import type { EstimateWaits } from '../io/run-progress.ts';

/** A target, and how to close it after the run. */
export interface OpenTarget extends AsyncDisposable {
  readonly target: Target;
  /** Rate plan of the key. */
  readonly plan: string | undefined;
  /** Additional run options that the target allows. For a mock in this process, also its clock. */
  readonly options: RunOptions;
}

/** Shorter keys may occur in an address by chance. */
const shortestKey = 8;

/** Milliseconds. */
const twoDays = 2 * 86_400_000;

/**
 * A server that runs elsewhere; without a base URL, a mock in this process on a free port, with its
 * first key of the plan. Throws `PetstoreError`.
 */
export async function openTarget(
  { baseUrl, apiKey, plan }: Partial<Record<'baseUrl' | 'apiKey' | 'plan', string | undefined>>,
  createMock: (clock: Clock) => Mock | Promise<Mock>,
): Promise<OpenTarget> {
  if (baseUrl !== undefined) {
    if (apiKey !== undefined && apiKey.length >= shortestKey && baseUrl.includes(apiKey))
      throw new PetstoreError(
        'target',
        'The base URL contains the API key, which would leak into the report. Pass it as the API key only.',
      );
    const target = { baseUrl: parseBaseUrl(baseUrl), apiKey };
    return { target, plan, options: {}, [Symbol.asyncDispose]: () => Promise.resolve() };
  }
  const clock = createMovableClock();
  const mock = await createMock(clock);
  const listening = await mock.listen({ port: 0, host: '127.0.0.1', control: false });
  const key = mock.keys.find(
    (each) => plan === undefined || each.plan.toLowerCase() === plan.toLowerCase(),
  );
  return {
    target: { baseUrl: listening.url, apiKey: key?.key },
    plan: plan ?? (key?.plan || undefined),
    // The mock has no valuable data and no other users.
    options: { clock, disposable: true, exclusive: true, exhaust: true, longestWait: twoDays },
    [Symbol.asyncDispose]: () => listening.close(),
  };
}

/** Estimates how long a run waits for the rate limit; undefined if a clock is moved instead. */
export function estimateWaits(
  contract: Contract,
  { plan, options }: Pick<OpenTarget, 'plan' | 'options'>,
): EstimateWaits | undefined {
  if (options.clock !== undefined) return undefined;
  return (runPlan) => waitingSeconds(runPlan, contract, plan);
}

/** What a run will send, and how long the rate limit makes it wait. */
export function describePlan(
  runPlan: RunPlan,
  contract: Contract,
  { plan, options }: OpenTarget,
): readonly VisibleText[] {
  if (options.clock === undefined) return listPlan(runPlan, contract, plan);
  return [
    ...listPlan(runPlan, contract, undefined),
    show`Instead of waiting for the rate limit, the mock's clock is moved.`,
  ];
}
