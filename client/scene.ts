import { type Exchange, type Redact, createRedaction } from '../conformance/index.ts';
import type { Contract } from '../contract/index.ts';
import { type MockOptions, type Exchange as Seen, createMock, listen } from '../mock/index.ts';
import { createRecorder } from './recorder.ts';
import type { Scenario } from './scenario.ts';

/** A scenario that is open to one client: an address and a key of its own. Disposing closes it. */
export interface Scene extends AsyncDisposable {
  readonly scenario: Scenario;
  readonly baseUrl: string;
  readonly key: string;
  /** Everything that has come in so far, in the order of arrival. */
  readonly exchanges: readonly Exchange[];
  /** Takes the key out of a text. */
  readonly redact: Redact;
}

/** One mock, in whose sandboxes scenarios are played. */
export interface Theatre {
  /**
   * Opens a scenario on a port of its own, 0 for a free one, so that also a request without the key is known to be of
   * it. There is no control interface: a client is not to help itself. Rejects with the system's error.
   */
  readonly open: (scenario: Scenario, port: number) => Promise<Scene>;
}

/** So long is a key banned that goes on after a 429, in seconds: long enough to be seen, and not to wait for. */
const banSeconds = 3;

/** Creates a mock for scenarios. `plan`: the name of the keys' plan, as the document has it; undefined in documents without any. */
export async function createTheatre(contract: Contract, plan: string | undefined, options: Pick<MockOptions, 'seed' | 'isSeedTrusted' | 'clock'> = {}): Promise<Theatre> {
  let seen: Seen | undefined;
  const mock = createMock(contract, { ...options, banSeconds, onExchange: (exchange) => { seen = exchange; } });
  await mock.ready;
  const control = await mock.control();
  return {
    async open(scenario, port) {
      const sandbox = control.sandbox(scenario.id);
      const key = `${plan === undefined ? 'demo' : plan.toLowerCase().replace(/[^a-z0-9]+/g, '-')}_${scenario.id}`;
      const recorder = createRecorder({ mock, lastSeen: () => seen, scenario, sandbox, key, plan });
      const listening = await listen(recorder, { port, control: false });
      return { scenario, key, baseUrl: listening.url, exchanges: recorder.exchanges, redact: createRedaction(key), [Symbol.asyncDispose]: () => listening.close() };
    },
  };
}
