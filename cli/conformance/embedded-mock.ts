import type { Clock, RunOptions, Target } from '../../conformance/index.ts';
import type { Mock } from '../../mock/index.ts';

/** A target, and what has to be closed after the run. */
export interface OpenTarget extends AsyncDisposable {
  readonly target: Target;
  readonly plan: string | undefined;
  /** The time of the target where it can be moved: that of a mock in this process. */
  readonly clock: Clock | undefined;
}

/** A server that runs elsewhere. */
export function remoteTarget(target: Target, plan: string | undefined): OpenTarget {
  return { target, plan, clock: undefined, [Symbol.asyncDispose]: () => Promise.resolve() };
}

/** A mock in this process on a free port, to be tested; with its first key if no plan is given. */
export async function openEmbeddedMock(
  mock: Mock,
  plan: string | undefined,
  clock: Clock,
): Promise<OpenTarget> {
  const listening = await mock.listen({ port: 0, host: '127.0.0.1', control: false });
  const { apiKey, planName } = keyWith(mock, plan);
  return {
    target: { baseUrl: listening.url, apiKey },
    plan: planName,
    clock,
    [Symbol.asyncDispose]: () => listening.close(),
  };
}

/** The key of a mock that a run uses, and its plan; undefined for none. */
export function keyWith(
  { keys }: Pick<Mock, 'keys'>,
  plan: string | undefined,
): { readonly apiKey: string | undefined; readonly planName: string | undefined } {
  const key = keys.find(
    (each) => plan === undefined || each.plan.toLowerCase() === plan.toLowerCase(),
  );
  return { apiKey: key?.key, planName: plan ?? (key?.plan || undefined) };
}

/** What else a run may do to such a mock: it has no valuable data, nobody else uses it, and its clock can be moved. */
export function embeddedOptions(clock: Clock): RunOptions {
  return { clock, disposable: true, exclusive: true, exhaust: true, longestWait: 2 * 86_400_000 };
}
