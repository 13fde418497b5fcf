import { type Exchange, type Redact, createRedaction } from '../conformance/index.ts';
import type { Contract } from '../contract/contract.ts';
import { isJsonArray, isJsonObject } from '../contract/json/value.ts';
import {
  type MockOptions,
  type SandboxControl,
  type JournalEntry as Seen,
  createMock,
  listen,
  systemClock,
  planWord,
} from '../mock/index.ts';
import { Recorder, createRequestClock } from './recorder.ts';
import type { Scenario, Step } from './scenarios.ts';

/** A scenario that is open to one client: an address and a key of its own. Disposing closes it. */
export interface OpenScenario extends AsyncDisposable {
  readonly scenario: Scenario;
  readonly baseUrl: string;
  readonly key: string;
  /** When it was opened, milliseconds since 1970, by the clock of the runner. */
  readonly openedAt: number;
  /** Everything that has come in so far, in the order of arrival. */
  readonly exchanges: readonly Exchange[];
  /** Aborts when more has come in than is recorded; the reason says of what. */
  readonly full: AbortSignal;
  readonly redact: Redact;
}

/** A scenario that is set up: what a port is opened over. */
export interface Setting {
  readonly recorder: Recorder;
  readonly sandbox: SandboxControl;
  readonly key: string;
  readonly openedAt: number;
}

type SettingOptions = Pick<MockOptions, 'seed' | 'clock'>;

/** Seconds of a ban after a 429: long enough to be seen, and not to wait for. */
const banSeconds = 3;

/**
 * Sets a scenario up on a mock of its own: it can be played again.
 *
 * @param plan the name of the key's plan; undefined in documents without any
 */
export async function setUpScenario(
  contract: Contract,
  plan: string | undefined,
  scenario: Scenario,
  { clock: followed = systemClock, ...options }: SettingOptions = {},
): Promise<Setting> {
  const clock = createRequestClock(followed);
  const openedAt = clock.now();
  let seen: Seen | undefined;
  const onEntry = (entry: Seen): void => void (seen = entry);
  const mock = createMock(contract, { ...options, clock, banSeconds, onEntry });
  const sandbox = (await mock.control()).sandbox(scenario.id);
  const key = `${plan === undefined ? 'demo' : planWord(plan)}_${scenario.id}`;
  let requests = 0;
  changeSandbox(contract, sandbox, plan, scenario.start);
  const takeStep = (): void =>
    changeSandbox(contract, sandbox, plan, scenario.steps.get((requests += 1)) ?? {});
  const lastSeen = (): Seen | undefined => seen;
  const recorder = new Recorder({ mock, lastSeen, scenario, sandbox, clock, key, takeStep });
  return { recorder, sandbox, key, openedAt };
}

/**
 * Opens a scenario on a port of its own, so that also a request without the key is known to be of it.
 * There is no control interface: a client is not to help itself. Rejects with the system's error.
 *
 * @param port 0 for a free one
 */
export async function openScenario(
  contract: Contract,
  plan: string | undefined,
  scenario: Scenario,
  port: number,
  options: SettingOptions = {},
): Promise<OpenScenario> {
  const { recorder, key, openedAt } = await setUpScenario(contract, plan, scenario, options);
  const listening = await listen(recorder, { port, control: false });
  return {
    scenario,
    key,
    openedAt,
    baseUrl: listening.url,
    exchanges: recorder.exchanges,
    full: recorder.full,
    redact: createRedaction(key),
    [Symbol.asyncDispose]: () => listening.close(),
  };
}

/** `plan`: that of the client's key. */
function changeSandbox(
  { openQuestions, resources }: Contract,
  sandbox: SandboxControl,
  plan: string | undefined,
  { items: change, choices = {}, faults = [], quota, banSeconds: banned, now }: Step,
): void {
  const asked = openQuestions.flatMap(({ id, kind }) =>
    choices[kind] === undefined ? [] : [[id, choices[kind]] as const],
  );
  if (asked.length > 0) sandbox.choose(Object.fromEntries(asked));
  if (change !== undefined) {
    const state = Object.entries(sandbox.readState()).map(([path, items]) => {
      const resource = resources.find(({ collectionPath }) => collectionPath === path);
      const isChanged = resource !== undefined && isJsonArray(items);
      return [path, isChanged ? change(items.filter(isJsonObject), resource) : items] as const;
    });
    sandbox.replaceState(Object.fromEntries(state));
  }
  if (now !== undefined) sandbox.clock.set(Date.parse(now));
  for (const fault of faults) sandbox.addFault(fault);
  if (plan === undefined) return;
  const [shortest] = sandbox.quotas.find((each) => each.plan === plan)?.windows ?? [];
  if (quota !== undefined && shortest !== undefined)
    sandbox.changeQuota(plan, {
      used: { [shortest.name]: Math.max(0, shortest.limit - quota.left) },
      resetSeconds: { [shortest.name]: quota.seconds },
    });
  if (banned !== undefined) sandbox.changeQuota(plan, { banSeconds: banned });
}
