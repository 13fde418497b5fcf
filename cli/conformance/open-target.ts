import {
  type Clock,
  createMovableClock,
  parseBaseUrl,
  type RunOptions,
  type Target,
} from '../../conformance/index.ts';
import type { Contract } from '../../contract/index.ts';
import type { Mock } from '../../mock/index.ts';
import { waitingSeconds } from '../../report/index.ts';
import type { ForeseeWaits } from '../io/run-progress.ts';

/** A target, and what has to be closed after the run. */
export interface OpenTarget extends AsyncDisposable {
  readonly target: Target;
  /** Rate plan of its key. */
  readonly plan: string | undefined;
  /** What else a run may do to it; its clock where it can be moved: that of a mock in this process. */
  readonly options: RunOptions;
}

interface WantedTarget {
  /** Undefined for a mock. */
  readonly baseUrl?: string | undefined;
  readonly apiKey?: string | undefined;
  readonly plan?: string | undefined;
}

/**
 * A server that runs elsewhere; without a base URL, a mock in this process on a free port, with its
 * first key of the plan. Throws `PetstoreError`.
 */
export async function openTarget(
  { baseUrl, apiKey, plan }: WantedTarget,
  createMock: (clock: Clock) => Mock | Promise<Mock>,
): Promise<OpenTarget> {
  if (baseUrl !== undefined) {
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
    // It has no valuable data, and nobody else uses it.
    options: { clock, disposable: true, exclusive: true, exhaust: true, longestWait: twoDays },
    [Symbol.asyncDispose]: () => listening.close(),
  };
}

/** Milliseconds. */
const twoDays = 2 * 86_400_000;

/** How long a run waits for the rate limit; undefined where a clock is moved instead. */
export function foreseeWaits(
  contract: Contract,
  { plan, options }: Pick<OpenTarget, 'plan' | 'options'>,
): ForeseeWaits | undefined {
  if (options.clock !== undefined) return undefined;
  return (runPlan) => waitingSeconds(runPlan, contract, plan);
}
