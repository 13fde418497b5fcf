import {
  type RunOptions,
  type RunReport,
  type Target,
  runConformance,
} from '../../conformance/index.ts';
import { createStillClock } from '../conformance/still-clock.ts';
import type { Contract } from '../../contract/contract.ts';
import { listen } from '../../selftest/service/listener.ts';
import { type ServiceBehaviour, createService } from '../../selftest/service/service.ts';
import { createInProcessSender } from '../../selftest/in-process.ts';
import { type MockOptions, createMock } from '../../mock/index.ts';
import { createMockSender } from '../../selftest/generated/server.ts';

/** A target in this process for the duration of a test, and the clock of both sides. */
export interface TestTarget extends AsyncDisposable {
  readonly target: Target;
  readonly clock: ReturnType<typeof createStillClock>;
  readonly run: (options?: RunOptions) => Promise<RunReport>;
}

/**
 * The independent Petstore service, with some parts replaced. The suite runs against it in process, unless
 * a part changes how responses are sent; its base URL accepts requests too.
 */
export async function openService(
  contract: Contract,
  overrides: Partial<ServiceBehaviour> = {},
  apiKey = 'service-business',
): Promise<TestTarget> {
  const clock = createStillClock();
  const service = createService(overrides, clock);
  const { baseUrl, close } = await listen(service);
  const inProcess = { sender: createInProcessSender(service, { timeout: 2000, ...clock }) };
  const { run, ...target } = createTestTarget(contract, { baseUrl, apiKey }, clock, close);
  const isOnWire = overrides.finish !== undefined;
  return { ...target, run: (options) => run({ ...(isOnWire ? {} : inProcess), ...options }) };
}

/**
 * The mock of a contract. Default key: that of its largest plan. The suite runs against it in process; its
 * base URL accepts requests too.
 */
export async function openMock(
  contract: Contract,
  options: MockOptions = {},
  apiKey?: string,
): Promise<TestTarget> {
  const clock = createStillClock();
  const mock = createMock(contract, { clock, ...options });
  const listening = await mock.listen({ port: 0 });
  const { run, ...target } = createTestTarget(
    contract,
    { baseUrl: listening.url, apiKey: apiKey ?? mock.keys.at(-1)?.key },
    clock,
    () => listening.close(),
  );
  const sender = createMockSender(mock);
  return { ...target, run: (options) => run({ sender, ...options }) };
}

function createTestTarget(
  contract: Contract,
  target: Target,
  clock: TestTarget['clock'],
  close: () => Promise<void>,
): TestTarget {
  const run = (options: RunOptions = {}): Promise<RunReport> =>
    runConformance(contract, target, {
      clock,
      requests: 60,
      longestWait: 2 * 86_400_000,
      ...options,
    });
  return { target, clock, run, [Symbol.asyncDispose]: close };
}
