import { type Clock, type Target, createMovableClock } from '../../../conformance/index.ts';
import type { Contract } from '../../../contract/index.ts';
import { readBundledSeed } from '../../package/bundled.ts';
import type { ConformArguments } from './options.ts';

/** A target, and what has to be closed after the run. */
export interface OpenTarget extends AsyncDisposable {
  readonly target: Target;
  readonly plan: string | undefined;
  /** The time of the target where it can be moved: that of the embedded mock. */
  readonly clock: Clock | undefined;
}

/** The target that was asked for, or the embedded mock on a free port. */
export async function openTarget(
  contract: Contract,
  wanted: ConformArguments,
): Promise<OpenTarget> {
  const { baseUrl, apiKey, plan } = wanted;
  if (baseUrl === undefined) return await openMock(contract, wanted);
  const target = { baseUrl, apiKey };
  return { target, plan, clock: undefined, [Symbol.asyncDispose]: () => Promise.resolve() };
}

async function openMock(
  contract: Contract,
  { contract: file, plan }: ConformArguments,
): Promise<OpenTarget> {
  const { createMock } = await import('../../../mock/index.ts');
  const seed = file === undefined ? await readBundledSeed() : {};
  const clock = createMovableClock();
  const mock = createMock(contract, { clock, ...seed });
  const listening = await mock.listen({ port: 0, host: '127.0.0.1' });
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
