import {
  type RunOptions,
  type RunPlan,
  createMovableClock,
  parseBaseUrl,
  planConformance,
} from '../../conformance/index.ts';
import { type Contract, PetstoreError } from '../../contract/index.ts';
import type { Mock, RunOrder } from '../../mock/index.ts';
import { waitingSeconds } from '../../report/index.ts';
import { type OpenTarget, embeddedOptions, keyWith, openEmbeddedMock } from './embedded-mock.ts';

/** The mock whose page orders runs. */
export interface OrderingMock {
  /** The document that is served now. */
  readonly contract: Contract;
  /**
   * A mock with that document and the same settings, which shares nothing else with it; `sandbox`:
   * the one whose choices and limits it has. Throws `PetstoreError`.
   */
  createCopy(clock: NonNullable<OpenTarget['clock']>, sandbox?: string): Mock;
}

/** A run that is settled, and opened when it starts. */
export interface SettledRun {
  readonly contract: Contract;
  /** For people: what is judged. */
  readonly target: string;
  readonly planName: string | undefined;
  readonly plan: RunPlan;
  readonly options: RunOptions;
  /** True where a clock is moved over waits. */
  readonly isMoved: boolean;
  /** Seconds of waiting for the rate limit, about. */
  readonly waits: number;
  open(): Promise<OpenTarget>;
}

/** Settles what is asked for. Throws `PetstoreError` for what cannot be. */
export function settleOrder(order: RunOrder, mock: OrderingMock): SettledRun {
  const { baseUrl = '', key = '' } = order;
  if (baseUrl.trim() !== '') {
    if (order.sandbox !== undefined)
      throw new PetstoreError('target', 'A sandbox is one of this mock: it goes with no base URL.');
    return settleTarget(parseBaseUrl(baseUrl.trim()), order, mock.contract);
  }
  if (key !== '')
    throw new PetstoreError(
      'target',
      'A key goes with a base URL: this mock is judged with a key of its own.',
    );
  return settleCopy(order, mock);
}

/** Shorter keys may stand in an address by chance. */
const shortestKey = 8;

function settleTarget(baseUrl: string, order: RunOrder, contract: Contract): SettledRun {
  const apiKey = order.key === '' ? undefined : order.key;
  if (apiKey !== undefined && apiKey.length >= shortestKey && baseUrl.includes(apiKey))
    throw new PetstoreError(
      'target',
      'The key stands in the base URL, and would be in the report: give it as the key alone.',
    );
  const target = { baseUrl, apiKey };
  const { plan: planName } = order;
  const options = optionsOf(order);
  const plan = planConformance(contract, target, { ...options, plan: planName });
  refuseEmpty(plan);
  return {
    contract,
    target: baseUrl,
    planName,
    plan,
    options,
    isMoved: false,
    waits: waitingSeconds(plan, contract, planName),
    open: () =>
      Promise.resolve({
        target,
        plan: planName,
        clock: undefined,
        [Symbol.asyncDispose]: () => Promise.resolve(),
      }),
  };
}

/** Any address will do for a plan: the copy listens only when it is judged. */
const anyAddress = 'http://127.0.0.1';

function settleCopy(order: RunOrder, mock: OrderingMock): SettledRun {
  const { contract } = mock;
  const clock = createMovableClock();
  const copy = mock.createCopy(clock, order.sandbox);
  const { apiKey, planName } = keyWith(copy, order.plan);
  const options = { ...optionsOf(order), ...embeddedOptions(clock) };
  const target = { baseUrl: anyAddress, apiKey };
  const plan = planConformance(contract, target, { ...options, plan: planName });
  refuseEmpty(plan);
  return {
    contract,
    target: 'this mock',
    planName,
    plan,
    options,
    isMoved: true,
    waits: 0,
    open: () => openEmbeddedMock(copy, order.plan, clock),
  };
}

/** What is left out has the defaults of `petstore conform`. */
function optionsOf(order: RunOrder): RunOptions {
  const { requests, seed, fuzz, exhaust, exclusive, readOnly, insecure } = order;
  return { requests, seed, fuzz, exhaust, exclusive, readOnly, verifyTls: insecure !== true };
}

function refuseEmpty({ requests }: RunPlan): void {
  if (requests === 0)
    throw new PetstoreError(
      'target',
      'There is nothing to judge: by this document and these settings no request would be sent.',
    );
}
