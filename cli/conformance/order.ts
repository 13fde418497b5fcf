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
import {
  type OpenTarget,
  embeddedOptions,
  keyWith,
  openEmbeddedMock,
  remoteTarget,
} from './embedded-mock.ts';

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

/** Shorter keys may be in an address by chance. */
const shortestKey = 8;

/** Any address will do for a plan: the copy listens only when it is tested. */
const anyAddress = 'http://127.0.0.1';

/** Settles what is asked for. Throws `PetstoreError` for what cannot be. */
export function settleOrder(order: RunOrder, mock: OrderingMock): SettledRun {
  const { contract } = mock;
  const { key = '', sandbox } = order;
  const baseUrl = (order.baseUrl ?? '').trim();
  const isCopy = baseUrl === '';
  if (!isCopy && sandbox !== undefined) refuse('A sandbox cannot be combined with a base URL.');
  if (isCopy && key !== '')
    refuse('A key needs a base URL: this mock is tested with a key of its own.');
  if (!isCopy && key.length >= shortestKey && baseUrl.includes(key))
    refuse(
      'The base URL contains the API key, which would leak into the report. Give it as the key only.',
    );
  const clock = createMovableClock();
  const copy = isCopy ? mock.createCopy(clock, sandbox) : undefined;
  const { apiKey, planName } =
    copy === undefined
      ? { apiKey: key === '' ? undefined : key, planName: order.plan }
      : keyWith(copy, order.plan);
  const target = { baseUrl: isCopy ? anyAddress : parseBaseUrl(baseUrl), apiKey };
  const { requests, seed, fuzz, exhaust, exclusive, readOnly, insecure } = order;
  const wanted = {
    requests,
    seed,
    fuzz,
    exhaust,
    exclusive,
    readOnly,
    verifyTls: insecure !== true,
  };
  const options: RunOptions = { ...wanted, ...(isCopy ? embeddedOptions(clock) : {}) };
  const plan = planConformance(contract, target, { ...options, plan: planName });
  if (plan.requests === 0)
    refuse('There is nothing to test: with this document and these settings no request is sent.');
  return {
    contract,
    target: isCopy ? 'a copy of this mock' : target.baseUrl,
    planName,
    plan,
    options,
    isMoved: isCopy,
    waits: isCopy ? 0 : waitingSeconds(plan, contract, planName),
    open: async () =>
      copy === undefined
        ? remoteTarget(target, planName)
        : await openEmbeddedMock(copy, order.plan, clock),
  };
}

function refuse(reason: string): never {
  throw new PetstoreError('target', reason);
}
