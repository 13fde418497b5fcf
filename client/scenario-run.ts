import {
  type ClientIntent,
  type CredentialUse,
  type Exchange,
  isPreflight,
  type Outcome,
  type Redact,
  type SentRequest,
  createRedaction,
  pairsOf,
  readJson,
  redactOutcome,
  tellCount,
} from '../conformance/index.ts';
import type { Contract } from '../contract/contract.ts';
import { isCredential, type SecurityAlternative } from '../contract/openapi/credential.ts';
import { renderJson } from '../contract/json/value.ts';
import {
  type Clock,
  type ConnectionWatcher,
  type JournalEntry,
  type Mock,
  type MockOptions,
  type MockRequest,
  type MockResponse,
  type Refusal,
  type RequestHeaders,
  type SandboxControl,
  createMock,
  listen,
  mainSandbox,
  planPrefix,
  readCredential,
  readSecurity,
  systemClock,
} from '../mock/index.ts';
import { securityOf } from './evidence.ts';
import { lostOutcome, operationAt, relativeTarget } from './log.ts';
import type { Scenario, Step } from './scenarios.ts';

/** Most requests of a client that are recorded in one scenario. */
export const maxClientRequests = 5000;

/** Most bytes of request and response bodies that are recorded. */
export const maxClientBytes = 32 * 1024 * 1024;

/** Length of a ban in seconds: long enough to be noticed, short enough to wait for. */
const banSeconds = 3;

type ScenarioOptions = Pick<MockOptions, 'seed' | 'clock'>;

/** A scenario that listens on a port for one client. Disposing closes it. */
export interface OpenScenario extends AsyncDisposable {
  readonly run: ScenarioRun;
  readonly baseUrl: string;
}

/**
 * Opens a scenario on its own port, so that requests without the key can be assigned to it. It has
 * no control interface, which clients could use. Rejects with the system's error, or as
 * `setUpScenario` does.
 *
 * @param port 0 for any free port
 */
export async function openScenario(
  contract: Contract,
  plan: string | undefined,
  scenario: Scenario,
  port: number,
  options: ScenarioOptions = {},
): Promise<OpenScenario> {
  const run = await setUpScenario(contract, plan, scenario, options);
  const listening = await listen(run, { port, control: false });
  return { run, baseUrl: listening.url, [Symbol.asyncDispose]: () => listening.close() };
}

/**
 * Sets up a scenario on its own mock, so that it can be replayed. Rejects with `PetstoreError` if it
 * is impossible with the document.
 *
 * @param plan the name of the key's plan; undefined in documents without plans
 */
export async function setUpScenario(
  contract: Contract,
  plan: string | undefined,
  scenario: Scenario,
  { clock: followed = systemClock, ...options }: ScenarioOptions = {},
): Promise<ScenarioRun> {
  const clock = createRequestClock(followed);
  const seen: JournalEntry[] = [];
  const onEntry = (entry: JournalEntry): void => void (seen[0] = entry);
  const mock = createMock(contract, { ...options, clock, banSeconds, onEntry });
  // Without security schemes, all requests go to the main sandbox.
  const isKeyed = contract.operations.some(({ security }) => security.flat().some(isCredential));
  const sandbox = (await mock.control()).sandbox(isKeyed ? scenario.id : mainSandbox);
  return new ScenarioRun(scenario, plan, mock, sandbox, clock, seen);
}

/** A clock that only moves on `tick`, so that a whole response has the same time. */
interface RequestClock extends Clock {
  /** Sets the time, in milliseconds since 1970. Default: the time of the underlying clock. */
  readonly tick: (instant?: number) => void;
}

function createRequestClock(followed: Clock): RequestClock {
  let instant = followed.now();
  return {
    now: () => instant,
    tick: (given = Math.max(instant, followed.now())) => void (instant = given),
    ...(followed.sleep && { sleep: followed.sleep.bind(followed) }),
  };
}

interface Connection {
  /** Undefined before its first request. */
  number: number | undefined;
  /** Undefined if its opening was not observed. */
  readonly opened: number | undefined;
}

/**
 * Milliseconds between times of connections that would be equal: a double can tell them apart, and
 * they stay within one millisecond.
 */
const least = 0.001;

/**
 * The mock as one client sees it in one scenario, independent of ports. Runs the scenario and
 * records each request without the key. Times are the sandbox's, in milliseconds since 1970.
 */
export class ScenarioRun {
  readonly contract: Contract;
  readonly key: string;
  /** By the clock of the runner. */
  readonly openedAt: number;
  /** Milliseconds by which the sandbox's clock is ahead of the runner's. */
  readonly ahead: number;
  /** All requests in order of arrival, up to the limits. */
  readonly exchanges: Exchange[] = [];
  readonly redact: Redact;
  readonly #scenario: Scenario;
  readonly #plan: string | undefined;
  readonly #mock: Mock;
  readonly #sandbox: SandboxControl;
  readonly #clock: RequestClock;
  /** Its first item is the journal entry of the request that was answered last. */
  readonly #seen: readonly JournalEntry[];
  readonly #known = new WeakMap<object, Connection>();
  readonly #over = new AbortController();
  #connections = 0;
  #lastInstant = 0;
  #steps = 0;
  #requests = 0;
  #bytes = 0;

  constructor(
    scenario: Scenario,
    plan: string | undefined,
    mock: Mock,
    sandbox: SandboxControl,
    clock: RequestClock,
    seen: readonly JournalEntry[],
  ) {
    this.contract = mock.contract;
    this.key = `${plan === undefined ? 'demo' : planPrefix(plan)}_${scenario.id}`;
    this.redact = createRedaction(this.key);
    this.#scenario = scenario;
    this.#plan = plan;
    this.#mock = mock;
    this.#sandbox = sandbox;
    this.#clock = clock;
    this.#seen = seen;
    this.openedAt = clock.now();
    this.#change(scenario.start);
    // A step that is impossible with this document throws here, not in a request.
    if (scenario.steps.size > 0) {
      sandbox.takeSnapshot('start');
      for (const step of scenario.steps.values()) this.#change(step);
      sandbox.restoreSnapshot('start');
    }
    this.ahead = sandbox.clock.now() - this.openedAt;
  }

  /** Aborts when a limit of the recording is reached; the reason names the limit. */
  get full(): AbortSignal {
    return this.#over.signal;
  }

  /** @param instant arrival time, by the clock of the mock. Default: now */
  handle(request: MockRequest, instant?: number): MockResponse {
    this.#clock.tick(instant);
    const { headers, content } = request;
    const sent = this.#readRequest(request);
    if (!isPreflight(sent)) this.#change(this.#scenario.steps.get((this.#steps += 1)) ?? {});
    const sentAt = this.#sandbox.clock.now();
    const connection = this.#connect(request.connection);
    const response = alterResponse(this.#mock.handle(request), this.#scenario.alter);
    const { sandbox, plan, refusal } = this.#seen[0] ?? {};
    const isUnread =
      content === undefined &&
      (headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0');
    const intent = {
      key: plan === undefined ? undefined : `${sandbox}/${plan}`,
      refusal: refusal && { reason: refusal.reason, message: this.redact(refusal.message) },
      isWhole: content !== 'too-large' && !isUnread,
      ...connection,
    };
    this.#record(intent, sent, response, sentAt);
    return response;
  }

  refuse(refusal: Refusal, connection?: object, instant?: number): MockResponse {
    this.#clock.tick(instant);
    const response = this.#mock.refuse(refusal, connection);
    const { reason, message } = refusal;
    const intent = { key: undefined, connection: undefined, isWhole: false };
    const sentAt = this.#sandbox.clock.now();
    this.#record({ ...intent, refusal: { reason, message } }, unreadable, response, sentAt);
    return response;
  }

  sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    return this.#mock.sleep(milliseconds, signal);
  }

  control(): ReturnType<Mock['control']> {
    return this.#mock.control();
  }

  readonly connections: ConnectionWatcher = {
    opened: (connection) => {
      this.#clock.tick();
      this.#known.set(connection, { number: undefined, opened: this.#instant() });
    },
    closed: (connection) => {
      this.#clock.tick();
      const number = this.#known.get(connection)?.number;
      if (number === undefined) return;
      const closed = this.#instant();
      for (const [at, exchange] of this.exchanges.entries()) {
        const { intent } = exchange;
        if (intent.kind !== 'client' || intent.connection !== number) continue;
        if (intent.times === undefined || intent.times.closed !== undefined) continue;
        const times = { ...intent.times, closed };
        this.exchanges[at] = { ...exchange, intent: { ...intent, times } };
      }
    },
  };

  /** Strictly increasing times. */
  #instant(): number {
    return (this.#lastInstant = Math.max(this.#sandbox.clock.now(), this.#lastInstant + least));
  }

  /** The connection of an arriving request, numbered in the order of first requests. */
  #connect(connection: object | undefined): Pick<ClientIntent, 'connection' | 'times'> {
    if (connection === undefined) return { connection: undefined };
    const found = this.#known.get(connection) ?? { number: undefined, opened: undefined };
    this.#known.set(connection, found);
    const number = (found.number ??= this.#connections++);
    if (found.opened === undefined) return { connection: number };
    const times = { opened: found.opened, arrived: this.#instant(), closed: undefined };
    return { connection: number, times };
  }

  #record(
    intent: Omit<ClientIntent, 'kind' | 'scenario'>,
    request: SentRequest,
    response: MockResponse,
    sentAt: number,
  ): void {
    const { id } = this.#scenario;
    this.#requests += 1;
    this.#bytes += (request.body?.length ?? 0) + response.body.length;
    if (this.#requests > maxClientRequests)
      this.#over.abort(`${tellCount(maxClientRequests)} requests`);
    else if (this.#bytes > maxClientBytes)
      this.#over.abort(`${tellCount(maxClientBytes)} bytes of bodies`);
    if (this.full.aborted) return;
    this.exchanges.push({
      index: this.exchanges.length,
      probe: id,
      intent: { kind: 'client', scenario: id, ...intent },
      request,
      outcome: redactOutcome(outcomeOf(request.method, response), this.redact),
      sentAt,
      endedAt: sentAt + (response.delivery?.delay ?? 0),
      group: undefined,
    });
  }

  #readRequest({ method, target, headers, content }: MockRequest): SentRequest {
    const shown = relativeTarget(target, this.contract.basePath);
    const query = shown.split('?')[1] ?? '';
    const operation = operationAt(this.contract, method, shown);
    const security = securityOf(this.contract, operation);
    const { use, secrets } = readSentCredential(security, headers, query, this.key);
    const redactions = [...secrets.map(createRedaction), this.redact];
    const hide: Redact = (text) => redactions.reduce((left, redact) => redact(left), text);
    const isRead = content !== undefined && content !== 'too-large';
    return {
      operation: operation?.id ?? '',
      method,
      target: hide(shown),
      headers: Object.entries(headers).flatMap(([name, value]) =>
        [value ?? []].flat().map((each): [string, string] => [hide(name), hide(each)]),
      ),
      credential: use,
      body: isRead ? hide(Buffer.from(content).toString()) : undefined,
    };
  }

  #change({
    items: change,
    choices = {},
    faults = [],
    quota,
    banSeconds: banned,
    now,
  }: Step): void {
    const [plan, sandbox] = [this.#plan, this.#sandbox];
    const { openQuestions, resources } = this.contract;
    const asked = openQuestions.flatMap(({ id, kind }) =>
      choices[kind] === undefined ? [] : [[id, choices[kind]] as const],
    );
    if (asked.length > 0) sandbox.choose(Object.fromEntries(asked));
    if (change !== undefined) {
      const state = resources
        .filter(({ parents }) => parents.length === 0)
        .map((resource) => {
          const { collectionPath: path } = resource;
          return [path, change(sandbox.collection(path)?.all ?? [], resource)] as const;
        });
      sandbox.replaceState(Object.fromEntries(state), true);
    }
    if (now !== undefined) sandbox.clock.set(now);
    for (const fault of faults) sandbox.addFault(fault);
    if (plan === undefined) return;
    const [shortest] = sandbox.quotas.find((each) => each.plan === plan)?.windows ?? [];
    if (quota !== undefined && shortest !== undefined) {
      const { name, limit } = shortest;
      const window = this.contract.rateLimit?.windows.find((each) => each.name === name);
      // Slightly before its end, as in `spentFor`.
      const most = 0.95 * (window?.seconds ?? 0);
      sandbox.changeQuota(plan, {
        used: { [name]: Math.max(0, limit - quota.left) },
        resetSeconds: { [name]: Math.min(quota.seconds, most) },
      });
    }
    if (banned !== undefined) sandbox.changeQuota(plan, { banSeconds: banned });
  }
}

/** A request that was not valid HTTP. */
const unreadable: SentRequest = {
  operation: '',
  method: '',
  target: '',
  headers: [],
  credential: 'missing',
  body: undefined,
};

function alterResponse(response: MockResponse, alter: Scenario['alter']): MockResponse {
  if (alter === undefined) return response;
  // Undefined for a refusal that is described in words.
  const body = readJson(response.body);
  return body === undefined ? response : { ...response, body: renderJson(alter(body)) };
}

/**
 * Classifies the credential of a request by the key that the client was given. `secrets`: all that
 * it sent, which must not be logged because it may be valid elsewhere.
 */
function readSentCredential(
  security: readonly SecurityAlternative[],
  headers: RequestHeaders,
  query: string,
  key: string,
): { readonly use: CredentialUse; readonly secrets: readonly string[] } {
  // A scheme and a value: another scheme, or not a token (RFC 9110 section 11.4).
  const [, scheme = '', rest = ''] =
    /^(\S*)\s*(.*)$/s.exec(String(headers['authorization']).trim()) ?? [];
  const secrets = security.flat().flatMap((each) => {
    const proof = isCredential(each) && readCredential(each, headers, query);
    if (proof === false || proof.kind === 'missing') return [];
    return proof.kind === 'malformed' || each.kind === 'basic' ? rest || scheme : proof.key;
  });
  const proof = readSecurity(security, headers, query);
  const otherUse = scheme.toLowerCase() === 'bearer' ? 'invalid' : 'other-scheme';
  const keyUse = proof.kind === 'key' && proof.key === key ? 'valid' : 'invalid';
  return {
    use: proof.kind === 'missing' ? 'missing' : proof.kind === 'key' ? keyUse : otherUse,
    // Placeholders such as `undefined` are not secret, and worth showing.
    secrets: [...new Set(secrets)].filter((each) => !/^(undefined|null)$/.test(each)),
  };
}

function outcomeOf(method: string, { status, headers, body, delivery }: MockResponse): Outcome {
  const { end = 'whole' } = delivery ?? {};
  if (end !== 'whole') return lostOutcome(end);
  const text = method === 'HEAD' ? '' : body;
  return {
    kind: 'answered',
    response: { status, headers: pairsOf(headers), body: text, utf8: true },
  };
}
