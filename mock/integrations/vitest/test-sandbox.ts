import type { Contract } from '../../../contract/contract.ts';
import { explainUnknown } from '../../../contract/error/unknown-name.ts';
import { refuseUnknownOptions } from '../../../contract/error/api-arguments.ts';
import { type MockFetch, createFetch } from '../fetch/fetch.ts';
import { type Mock, createMock } from '../../mock.ts';
import { type MockOptions, mockOptionNames } from '../../served-document/options.ts';
import type { ListenOptions, Listening } from '../node/server.ts';
import { loadBundledContract } from '../../package/bundled.ts';
import type { Clock } from '../../sandbox/clock.ts';

export interface TestSandboxOptions extends Omit<MockOptions, 'clock'> {
  /** By default the document of this package, with its inventory. */
  readonly contract?: Contract;
  /** Plan of the key, in any case. By default the first of the document: `Free`. */
  readonly plan?: string;
  /** The time of the clock at first. Default: now. */
  readonly start?: Date | string;
}

const optionNames = { ...mockOptionNames, contract: true, plan: true, start: true } as const;

/** The sandbox of one test, which shares nothing with other tests. */
export interface TestSandbox extends AsyncDisposable {
  readonly mock: Mock;
  readonly clock: TestClock;
  /** Base URL for the code under test; only integrations of this sandbox respond to it. */
  readonly baseUrl: string;
  /** API key for the code under test. */
  readonly key: string;
  /** As the global `fetch`, for the mock. A path such as `/pets` is under the base URL. */
  readonly fetch: MockFetch;
  /** Opens a port until the sandbox is disposed of. Its `url` is the base URL there. */
  readonly listen: (options?: ListenOptions) => Promise<Listening>;
}

/** The top-level domain is reserved for tests (RFC 6761 section 6.2). */
const testOrigin = 'http://petstore.test';

/** Creates a sandbox. Throws `RangeError` for a plan that the document does not have. */
export async function createTestSandbox(options: TestSandboxOptions = {}): Promise<TestSandbox> {
  refuseUnknownOptions('createTestSandbox', options, optionNames);
  const { contract = await loadBundledContract(), plan, start = new Date(), ...others } = options;
  const clock = createTestClock(start);
  const mock = createMock(contract, { ...others, clock });
  const baseUrl = testOrigin + contract.basePath;
  const open: Listening[] = [];
  return {
    mock,
    clock,
    baseUrl,
    key: keyOf(mock, plan),
    fetch: fetchUnder(baseUrl, createFetch(mock, { baseUrl })),
    async listen(listenOptions) {
      const listening = await mock.listen(listenOptions);
      open.push(listening);
      return listening;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(open.map((listening) => listening.close()));
    },
  };
}

function keyOf({ keys }: Mock, plan: string | undefined): string {
  const found = keys.find(
    (each) => plan === undefined || each.plan.toLowerCase() === plan.toLowerCase(),
  );
  if (found !== undefined) return found.key;
  throw new RangeError(
    explainUnknown(
      'plan',
      plan ?? '',
      keys.map((each) => each.plan),
    ),
  );
}

function fetchUnder(baseUrl: string, fetch: MockFetch): MockFetch {
  return (input, init) =>
    fetch(typeof input === 'string' && input.startsWith('/') ? baseUrl + input : input, init);
}

/** A clock that only a test moves; windows, bans, dates and delays follow it. */
export interface TestClock extends Clock {
  advance(by: {
    readonly seconds?: number;
    readonly minutes?: number;
    readonly hours?: number;
    readonly days?: number;
  }): void;
  /** Jumps to a date, or a text such as `2030-12-05`. Throws `RangeError` for an invalid one. */
  set(instant: Date | string): void;
}

function createTestClock(start: Date | string): TestClock {
  let now = instantOf(start);
  let sleepers: readonly Sleeper[] = [];
  const move = (instant: number): void => {
    now = instant;
    const due = sleepers.filter(({ until }) => until <= now);
    sleepers = sleepers.filter((sleeper) => !due.includes(sleeper));
    for (const { wake } of due.toSorted((a, b) => a.until - b.until)) wake();
  };
  return {
    now: () => now,
    sleep: (milliseconds) =>
      new Promise((wake) => {
        sleepers = [...sleepers, { until: now + milliseconds, wake }];
      }),
    advance({ seconds = 0, minutes = 0, hours = 0, days = 0 }) {
      move(now + (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000);
    },
    set(instant) {
      move(instantOf(instant));
    },
  };
}

/** A delayed response, and when it is due. */
interface Sleeper {
  readonly until: number;
  readonly wake: () => void;
}

function instantOf(instant: Date | string): number {
  const time = new Date(instant).getTime();
  if (Number.isNaN(time)) throw new RangeError(`${String(instant)} is not a date.`);
  return time;
}
