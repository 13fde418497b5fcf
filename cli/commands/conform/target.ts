import { createMovableClock, parseBaseUrl } from '../../../conformance/index.ts';
import type { Contract } from '../../../contract/index.ts';
import { type OpenTarget, openEmbeddedMock } from '../../conformance/embedded-mock.ts';
import { readBundledSeed } from '../../package/bundled.ts';
import type { ConformArguments } from './options.ts';

/** The target that was asked for, or the embedded mock on a free port. */
export async function openTarget(
  contract: Contract,
  wanted: ConformArguments,
): Promise<OpenTarget> {
  const { baseUrl, apiKey, plan } = wanted;
  if (baseUrl === undefined) return await openMock(contract, wanted);
  const target = { baseUrl: parseBaseUrl(baseUrl), apiKey };
  return { target, plan, clock: undefined, [Symbol.asyncDispose]: () => Promise.resolve() };
}

async function openMock(
  contract: Contract,
  { contract: file, plan }: ConformArguments,
): Promise<OpenTarget> {
  const { createMock } = await import('../../../mock/index.ts');
  const seed = file === undefined ? await readBundledSeed() : {};
  const clock = createMovableClock();
  return await openEmbeddedMock(createMock(contract, { clock, ...seed }), plan, clock);
}
