import type { Clock, RunOptions, Target } from '../../conformance/index.ts';
import type { Mock } from '../../mock/index.ts';

/** A target, and what has to be closed after the run. */
export interface OpenTarget extends AsyncDisposable {
  readonly target: Target;
  readonly plan: string | undefined;
  /** The time of the target where it can be moved: that of a mock in this process. */
  readonly clock: Clock | undefined;
}

/** A mock in this process on a free port, to be judged; with its first key where no plan is told. */
export async function openEmbeddedMock(
  mock: Mock,
  plan: string | undefined,
  clock: Clock,
): Promise<OpenTarget> {
  const listening = await mock.listen({ port: 0, host: '127.0.0.1', control: false });
  const key = mock.keys.find(
    (each) => plan === undefined || each.plan.toLowerCase() === plan.toLowerCase(),
  );
  return {
    target: { baseUrl: listening.url, apiKey: key?.key },
    plan: plan ?? (key?.plan || undefined),
    clock,
    [Symbol.asyncDispose]: () => listening.close(),
  };
}

/** What else a run may do to such a mock: it holds nothing of value, and its day passes in no time. */
export function embeddedOptions(clock: Clock): RunOptions {
  return { clock, disposable: true, exhaust: true, longestWait: 2 * 86_400_000 };
}
