import {
  type ReceivedResponse,
  type ClientIntent,
  type Exchange,
  type Outcome,
  type Redact,
  type Redacted,
  type SentRequest,
  createBlank,
  createRedaction,
  redactKeys,
  redactOutcome,
} from '../../conformance/index.ts';
import type { Contract } from '../../contract/contract.ts';
import { renderJson } from '../../contract/json/value.ts';
import type {
  ConnectionWatcher,
  Mock,
  MockResponse,
  MockRequest,
  Refusal,
  SandboxControl,
  JournalEntry as Seen,
} from '../../mock/index.ts';
import { isPreflight } from '../log/preflight.ts';
import { matchOperation, relativeTarget } from '../log/request-target.ts';
import { readJson } from '../rules/evidence.ts';
import { createConnectionLog } from './connection-log.ts';
import type { RequestClock } from './request-clock.ts';
import type { Scenario } from '../scenarios/scenario.ts';
import { readSentCredential } from './sent-credential.ts';
import { setUpSandbox } from './sandbox-setup.ts';

/** Requests of a client in one scenario. */
export const mostClientRequests = 5000;

/** Bytes of the bodies of those requests, and of the responses to them. */
export const mostClientBytes = 32 * 1024 * 1024;

/** The mock as one client meets it in one scenario: what an integration is opened over. */
export interface Recorder {
  readonly contract: Contract;
  /** `instant`: when it came in, by the clock of the mock; now where it is left out. */
  handle(request: MockRequest, instant?: number): MockResponse;
  refuse(refusal: Refusal, connection?: object, instant?: number): MockResponse;
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
  control: Mock['control'];
  readonly connections: ConnectionWatcher;
  /** Everything that has come in, in full, without the key, until it is full. */
  readonly exchanges: readonly Exchange[];
  /** Aborts when more came in than is recorded; the reason says of what. */
  readonly full: AbortSignal;
}

export interface Recording {
  readonly mock: Mock;
  /** What the mock noted of the request that it has just answered; undefined before the first. */
  readonly lastSeen: () => Seen | undefined;
  readonly scenario: Scenario;
  readonly sandbox: SandboxControl;
  readonly clock: RequestClock;
  readonly key: string;
  readonly plan: string | undefined;
}

/** Plays the scenario for one client, and records each request. Instants are the sandbox's. */
export function createRecorder(recording: Recording): Recorder {
  const { mock, scenario, sandbox, key } = recording;
  const { contract } = mock;
  const blanks = [createBlank(key)];
  const redactMarked = (text: string): Redacted => redactKeys(text, blanks);
  const redact: Redact = (text) => redactMarked(text).text;
  const takeStep = setUpSandbox(contract, scenario, sandbox, recording.plan);
  const exchanges: Exchange[] = [];
  const room = createRoom();
  const connections = createConnectionLog(exchanges, () => sandbox.clock.now());
  const record = (
    intent: ClientIntent,
    request: SentRequest,
    response: MockResponse,
    sentAt: number,
  ): void => {
    if (!room.take((request.body?.length ?? 0) + response.body.length)) return;
    const outcome = redactOutcome(outcomeOf(request.method, response), redactMarked);
    exchanges.push({
      index: exchanges.length,
      probe: scenario.id,
      intent,
      request,
      outcome,
      sentAt,
      endedAt: sentAt + (response.delivery?.delay ?? 0),
      group: undefined,
    });
  };
  return {
    contract,
    exchanges,
    full: room.full,
    connections: {
      opened(connection) {
        recording.clock.tick();
        connections.opened(connection);
      },
      closed(connection) {
        recording.clock.tick();
        connections.closed(connection);
      },
    },
    handle(request, instant) {
      recording.clock.tick(instant);
      const sent = readRequest(contract, request, key, redact);
      if (!isPreflight(sent)) takeStep();
      const now = sandbox.clock.now();
      const connection = connections.describe(request.connection);
      const response = alterResponse(mock.handle(request), scenario.alter);
      record({ ...intentOf(request, recording, redact), ...connection }, sent, response, now);
      return response;
    },
    refuse(refusal, connection, instant) {
      recording.clock.tick(instant);
      const response = mock.refuse(refusal, connection);
      const intent: ClientIntent = {
        kind: 'client',
        scenario: scenario.id,
        key: undefined,
        connection: undefined,
        refusal: { reason: refusal.reason, message: refusal.message },
        isWhole: false,
      };
      record(intent, unreadable, response, sandbox.clock.now());
      return response;
    },
    sleep: (...wait) => mock.sleep(...wait),
    control: () => mock.control(),
  };
}

/** Room for what is recorded of one client: the requests, and the bodies both ways. */
function createRoom(): { readonly take: (length: number) => boolean; readonly full: AbortSignal } {
  const over = new AbortController();
  let [requests, bytes] = [0, 0];
  return {
    full: over.signal,
    take(length) {
      requests += 1;
      bytes += length;
      if (requests > mostClientRequests) over.abort(`${tell(mostClientRequests)} requests`);
      else if (bytes > mostClientBytes) over.abort(`${tell(mostClientBytes)} bytes of bodies`);
      return !over.signal.aborted;
    },
  };
}

function tell(count: number): string {
  return count.toLocaleString('en');
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

function intentOf(
  { headers, content }: MockRequest,
  { scenario, lastSeen }: Recording,
  redact: Redact,
): ClientIntent {
  const seen = lastSeen();
  const isUnread =
    content === undefined &&
    (headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0');
  return {
    kind: 'client',
    scenario: scenario.id,
    key: seen?.plan === undefined ? undefined : `${seen.sandbox}/${seen.plan}`,
    connection: undefined,
    refusal: seen?.refusal && {
      reason: seen.refusal.reason,
      message: redact(seen.refusal.message),
    },
    isWhole: content !== 'too-large' && !isUnread,
  };
}

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
  const [path = '', query = ''] = shown.split('?');
  const { use, secret } = readSentCredential(contract, headers, query, key);
  const redactSecret = createRedaction(secret);
  const hide: Redact = (text) => redactSecret(redact(text));
  const isRead = content !== undefined && content !== 'too-large';
  return {
    operation: matchOperation(contract, method, path)?.id ?? '',
    method,
    target: hide(shown),
    headers: Object.entries(headers).flatMap(([name, value]) =>
      [value ?? []].flat().map((each): [string, string] => [hide(name), hide(each)]),
    ),
    credential: use,
    body: isRead ? hide(Buffer.from(content).toString()) : undefined,
  };
}

function outcomeOf(method: string, { status, headers, body, delivery }: MockResponse): Outcome {
  if (delivery?.end === 'silence')
    return { kind: 'no-response', error: { reason: 'timeout', message: 'No response was sent.' } };
  if (delivery?.end === 'reset')
    return {
      kind: 'no-response',
      error: { reason: 'cut', message: 'The connection was reset in place of a response.' },
    };
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
