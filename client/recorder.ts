import {
  type Blank,
  type ReceivedResponse,
  type ClientIntent,
  type CredentialUse,
  type Exchange,
  isPreflight,
  type Outcome,
  type Redact,
  type SentRequest,
  createBlank,
  createRedaction,
  readJson,
  redactKeys,
  redactOutcome,
  routerOf,
  tellCount,
} from '../conformance/index.ts';
import type { Contract } from '../contract/contract.ts';
import { renderJson } from '../contract/json/value.ts';
import {
  type Clock,
  type ConnectionWatcher,
  type Mock,
  type MockResponse,
  type MockRequest,
  readCredential,
  type Refusal,
  type RequestHeaders,
  type SandboxControl,
  type JournalEntry as Seen,
} from '../mock/index.ts';
import { relativeTarget } from './log.ts';
import type { Scenario } from './scenarios.ts';

/** Requests of a client in one scenario. */
export const mostClientRequests = 5000;

/** Bytes of the bodies of those requests, and of the responses to them. */
export const mostClientBytes = 32 * 1024 * 1024;

/** A clock that stops during a request, so that its response is of one instant. */
export interface RequestClock extends Clock {
  /** Takes the time, milliseconds since 1970: by default that of the clock it follows. */
  readonly tick: (instant?: number) => void;
}

/** Creates a clock that follows another at its ticks, and begins with one. */
export function createRequestClock(followed: Clock): RequestClock {
  let instant = followed.now();
  return {
    now: () => instant,
    tick: (given = Math.max(instant, followed.now())) => void (instant = given),
    ...(followed.sleep === undefined ? {} : { sleep: followed.sleep.bind(followed) }),
  };
}

export interface Recording {
  readonly mock: Mock;
  /** What the mock noted of the request that it has just answered; undefined before the first. */
  readonly lastSeen: () => Seen | undefined;
  readonly scenario: Scenario;
  readonly sandbox: SandboxControl;
  readonly clock: RequestClock;
  readonly key: string;
  /** Called before each request is answered. */
  readonly takeStep: () => void;
}

/**
 * The mock as one client meets it in one scenario: what an integration is opened over. It plays the
 * scenario, and records each request. Instants are the sandbox's.
 */
export class Recorder {
  readonly contract: Contract;
  readonly connections: ConnectionWatcher;
  /** Everything that has come in, in full, without the key, until it is full. */
  readonly exchanges: Exchange[] = [];
  readonly #recording: Recording;
  readonly #blanks: readonly Blank[];
  readonly #connections: Connections;
  readonly #over = new AbortController();
  #requests = 0;
  #bytes = 0;

  constructor(recording: Recording) {
    const { mock, sandbox, clock, key } = recording;
    const connections = new Connections(this.exchanges, () => sandbox.clock.now());
    this.contract = mock.contract;
    this.connections = {
      opened(connection) {
        clock.tick();
        connections.opened(connection);
      },
      closed(connection) {
        clock.tick();
        connections.closed(connection);
      },
    };
    this.#recording = recording;
    this.#blanks = [createBlank(key)];
    this.#connections = connections;
  }

  /** Aborts when more came in than is recorded; the reason says of what. */
  get full(): AbortSignal {
    return this.#over.signal;
  }

  /** @param instant when it came in, by the clock of the mock; now where it is left out */
  handle(request: MockRequest, instant?: number): MockResponse {
    const { mock, scenario, sandbox, clock, key, takeStep, lastSeen } = this.#recording;
    clock.tick(instant);
    const sent = readRequest(this.contract, request, key, this.#redact);
    if (!isPreflight(sent)) takeStep();
    const now = sandbox.clock.now();
    const connection = this.#connections.describe(request.connection);
    const response = alterResponse(mock.handle(request), scenario.alter);
    const { headers, content } = request;
    const isUnread =
      content === undefined &&
      (headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0');
    const { sandbox: name, plan, refusal } = lastSeen() ?? {};
    const intent = {
      key: plan === undefined ? undefined : `${name}/${plan}`,
      refusal: refusal && { reason: refusal.reason, message: this.#redact(refusal.message) },
      isWhole: content !== 'too-large' && !isUnread,
      ...connection,
    };
    this.#record(intent, sent, response, now);
    return response;
  }

  refuse(refusal: Refusal, connection?: object, instant?: number): MockResponse {
    const { mock, sandbox, clock } = this.#recording;
    clock.tick(instant);
    const response = mock.refuse(refusal, connection);
    const { reason, message } = refusal;
    const intent = { key: undefined, connection: undefined, isWhole: false };
    const now = sandbox.clock.now();
    this.#record({ ...intent, refusal: { reason, message } }, unreadable, response, now);
    return response;
  }

  sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    return this.#recording.mock.sleep(milliseconds, signal);
  }

  control(): ReturnType<Mock['control']> {
    return this.#recording.mock.control();
  }

  readonly #redact: Redact = (text) => redactKeys(text, this.#blanks).text;

  #record(
    intent: Omit<ClientIntent, 'kind' | 'scenario'>,
    request: SentRequest,
    response: MockResponse,
    sentAt: number,
  ): void {
    const { id } = this.#recording.scenario;
    this.#requests += 1;
    this.#bytes += (request.body?.length ?? 0) + response.body.length;
    if (this.#requests > mostClientRequests)
      this.#over.abort(`${tellCount(mostClientRequests)} requests`);
    else if (this.#bytes > mostClientBytes)
      this.#over.abort(`${tellCount(mostClientBytes)} bytes of bodies`);
    if (this.full.aborted) return;
    this.exchanges.push({
      index: this.exchanges.length,
      probe: id,
      intent: { kind: 'client', scenario: id, ...intent },
      request,
      outcome: redactOutcome(outcomeOf(request.method, response), (text) =>
        redactKeys(text, this.#blanks),
      ),
      sentAt,
      endedAt: sentAt + (response.delivery?.delay ?? 0),
      group: undefined,
    });
  }
}

/** What came in and was no HTTP. */
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

function readRequest(
  contract: Contract,
  { method, target, headers, content }: MockRequest,
  key: string,
  redact: Redact,
): SentRequest {
  const shown = relativeTarget(target, contract.basePath);
  const { use, secret } = readSentCredential(contract, headers, shown.split('?')[1] ?? '', key);
  // What stands for a key that was not there is of no use to anyone, and worth seeing.
  const redactSecret = createRedaction(/^(undefined|null)$/.test(secret ?? '') ? '' : secret);
  const hide: Redact = (text) => redactSecret(redact(text));
  const route = routerOf(contract)(method, shown);
  const isRead = content !== undefined && content !== 'too-large';
  return {
    operation: route.kind === 'operation' ? route.operation.id : '',
    method,
    target: hide(shown),
    headers: Object.entries(headers).flatMap(([name, value]) =>
      [value ?? []].flat().map((each): [string, string] => [hide(name), hide(each)]),
    ),
    credential: use,
    body: isRead ? hide(Buffer.from(content).toString()) : undefined,
  };
}

interface SentCredential {
  readonly use: CredentialUse;
  /** A secret other than the key, which no log is to hold: it may open something. */
  readonly secret?: string;
}

/** Reads the credential of a request, by the key that its sender was given. */
function readSentCredential(
  { operations }: Contract,
  headers: RequestHeaders,
  query: string,
  key: string,
): SentCredential {
  const credential = operations.find((each) => each.credential.kind !== 'none')?.credential;
  if (credential === undefined) return { use: 'missing' };
  const proof = readCredential(credential, headers, query);
  if (proof.kind === 'missing') return { use: 'missing' };
  if (proof.kind === 'key')
    return proof.key === key ? { use: 'valid' } : { use: 'invalid', secret: proof.key };
  // A scheme and something: of another scheme, or no token (RFC 9110 section 11.4).
  const text = String(headers['authorization']).trim();
  const [scheme = ''] = text.split(/\s/, 1);
  const rest = text.slice(scheme.length).trim();
  return {
    use: scheme.toLowerCase() === 'bearer' ? 'invalid' : 'other-scheme',
    secret: rest === '' ? scheme : rest,
  };
}

function outcomeOf(method: string, { status, headers, body, delivery }: MockResponse): Outcome {
  if (delivery?.end === 'silence')
    return { kind: 'no-response', error: { reason: 'timeout', message: 'No response was sent.' } };
  if (delivery?.end === 'reset') {
    const message = 'The connection was reset in place of a response.';
    return { kind: 'no-response', error: { reason: 'cut', message } };
  }
  const pairs = Array.from(
    { length: headers.length / 2 },
    (_, index): ReceivedResponse['headers'][number] => [
      headers[2 * index] ?? '',
      headers[2 * index + 1] ?? '',
    ],
  );
  return {
    kind: 'answered',
    response: { status, headers: pairs, body: method === 'HEAD' ? '' : body, utf8: true },
  };
}

/** What one thousandth of a millisecond is: enough to tell a double of this age from the next. */
const least = 0.001;

interface Connection {
  /** Undefined before its first request. */
  number: number | undefined;
  /** Undefined where its opening was not watched. */
  readonly opened: number | undefined;
  isClosed: boolean;
}

/** Numbers the connections of one client, and keeps when each was opened and closed by it. */
class Connections implements ConnectionWatcher {
  readonly #known = new WeakMap<object, Connection>();
  readonly #exchanges: Exchange[];
  readonly #clock: () => number;
  #last = 0;
  #next = 0;

  /**
   * @param exchanges those recorded so far, of which those of a connection get the time when it was closed
   * @param clock milliseconds since 1970, by the clock of the sandbox
   */
  constructor(exchanges: Exchange[], clock: () => number) {
    this.#exchanges = exchanges;
    this.#clock = clock;
  }

  /** No instant twice, and none before another. */
  #now(): number {
    return (this.#last = Math.max(this.#clock(), this.#last + least));
  }

  #connect(connection: object, opened: number | undefined): Connection {
    const made = { number: undefined, opened, isClosed: false };
    this.#known.set(connection, made);
    return made;
  }

  opened(connection: object): void {
    this.#connect(connection, this.#now());
  }

  closed(connection: object): void {
    const found = this.#known.get(connection);
    if (found === undefined || found.isClosed) return;
    found.isClosed = true;
    if (found.number === undefined) return;
    const closed = this.#now();
    for (const [at, exchange] of this.#exchanges.entries()) {
      const { intent } = exchange;
      if (intent.kind !== 'client' || intent.connection !== found.number || !intent.times) continue;
      const times = { ...intent.times, closed };
      this.#exchanges[at] = { ...exchange, intent: { ...intent, times } };
    }
  }

  /** Of a request that comes in now: its connection, and when it was opened. */
  describe(connection: object | undefined): Pick<ClientIntent, 'connection' | 'times'> {
    if (connection === undefined) return { connection: undefined };
    const found = this.#known.get(connection) ?? this.#connect(connection, undefined);
    found.number ??= this.#next++;
    const { number, opened } = found;
    if (opened === undefined) return { connection: number };
    return { connection: number, times: { opened, arrived: this.#now(), closed: undefined } };
  }
}
