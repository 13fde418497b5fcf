import { type Exchange, type Outcome, redactedKey, headerOf } from '../../conformance/index.ts';
import type { Contract } from '../../contract/contract.ts';
import { type JsonObject, type JsonValue, jsonEquals } from '../../contract/json/value.ts';
import { readJson } from '../rules/evidence.ts';
import { type MockRequest, type RequestContent, refuse } from '../../mock/index.ts';
import type { Scenario } from '../scenarios/scenario.ts';
import type { Setting } from './scenario-run.ts';

/** Where a log is not what the mock would have seen and answered. */
export interface LogDeparture {
  /** Index in the log; undefined for the log as a whole. */
  readonly at: number | undefined;
  /** A sentence, with its full stop. */
  readonly sentence: string;
}

/**
 * Plays the requests of a log to a scenario that was set up again, each at its time: the mock has to
 * answer as the log says. So a request that was left out, added or edited shows in the counts of
 * the limit, in identifiers and items, even where whoever edited the log computed all its digests
 * again. Compared is what the rules read, and no words of a message. Of a response to a
 * wrong key, which no log holds, only the status is compared. `closedAt`: nothing came in after it, by
 * the clock of the scenario runner.
 */
export function replayLog(
  contract: Contract,
  scenario: Scenario,
  setting: Setting,
  logged: readonly Exchange[],
  closedAt: number,
): readonly LogDeparture[] {
  const { sandbox, openedAt } = setting;
  // The sandbox may live years ahead of the mock's clock.
  const ahead = sandbox.clock.now() - openedAt;
  const connections = new Map<number, object>();
  let earliest = openedAt;
  for (const exchange of logged) {
    const at = exchange.index;
    const instant = exchange.sentAt - ahead;
    const early = `It came in before ${scenario.id} was opened, or before the request that the log has before it.`;
    if (instant < earliest) return [{ at, sentence: early }];
    if (instant > closedAt)
      return [{ at, sentence: 'It came in after the client was no longer watched.' }];
    earliest = instant;
    const difference = play(contract, setting, exchange, connections, instant);
    const other = `Played again, ${scenario.id} comes to another ${difference} here: the log is not what this client sent to this mock.`;
    if (difference !== undefined) return [{ at, sentence: other }];
  }
  return [];
}

/** Why the integration refuses what is not a request that it can read. */
const integrationReasons = [
  'malformed_request',
  'request_timeout',
  'headers_too_large',
  'method_not_allowed',
] as const;

/** Plays one exchange again; what comes out different, in a word, or undefined. */
function play(
  contract: Contract,
  { recorder, key }: Setting,
  exchange: Exchange,
  connections: Map<number, object>,
  instant: number,
): string | undefined {
  const { request, intent } = exchange;
  if (request.method === '') {
    const refusal = intent.kind === 'client' ? intent.refusal : undefined;
    const reason = integrationReasons.find((each) => each === refusal?.reason);
    if (refusal === undefined || reason === undefined) return 'refusal';
    recorder.refuse(refuse(reason, refusal.message), undefined, instant);
  } else recorder.handle(requestOf(contract, exchange, key, connections), instant);
  const again = recorder.exchanges.at(-1);
  return again === undefined ? 'nothing' : compare(contract, exchange, again);
}

function requestOf(
  { basePath }: Contract,
  exchange: Exchange,
  key: string,
  connections: Map<number, object>,
): MockRequest {
  const { request } = exchange;
  const secret = isWrong(exchange) ? alterKey(key, exchange) : key;
  const show = (text: string): string => text.replaceAll(redactedKey, secret);
  const target = show(request.target);
  return {
    method: request.method,
    target: target.startsWith('/..') ? target.replace(/^(?:\/\.\.)+/, '') : basePath + target,
    headers: headersOf(request.headers.map(([name, value]) => [show(name), show(value)])),
    content: contentOf(exchange, show),
    connection: connectionOf(exchange, connections),
  };
}

/** A wrong key: unknown, or that of another sandbox where the log has one. */
function alterKey(key: string, { intent }: Exchange): string {
  return intent.kind === 'client' && intent.key !== undefined ? `${key}x` : 'invalid-key';
}

function headersOf(
  pairs: readonly (readonly [name: string, value: string])[],
): MockRequest['headers'] {
  const values = Map.groupBy(pairs, ([name]) => name);
  return Object.fromEntries(
    [...values].map(([name, all]) => [
      name,
      all.length === 1 ? all[0]?.[1] : all.map(([, value]) => value),
    ]),
  );
}

function contentOf(
  { request: { body }, intent }: Exchange,
  show: (text: string) => string,
): RequestContent {
  const refusal = intent.kind === 'client' ? intent.refusal : undefined;
  if (body === undefined) return refusal?.reason === 'body_too_large' ? 'too-large' : undefined;
  // A byte that is in no UTF-8 is in the log as U+FFFD; it is refused as that character is not.
  // Where the character itself was sent, the body is malformed in another way, and stays so.
  return refusal?.reason === 'malformed_body' ? encodeBroken(show(body)) : Buffer.from(show(body));
}

/** A text in UTF-8, with a byte that is in no UTF-8 in the place of each U+FFFD. */
function encodeBroken(text: string): Buffer {
  const parts = text.split('\uFFFD').flatMap((part) => [Buffer.of(0xff), Buffer.from(part)]);
  return Buffer.concat(parts.slice(1));
}

function connectionOf({ intent }: Exchange, known: Map<number, object>): object | undefined {
  if (intent.kind !== 'client' || intent.connection === undefined) return undefined;
  const connection = known.get(intent.connection) ?? {};
  known.set(intent.connection, connection);
  return connection;
}

/** What differs, in a word; undefined for nothing. */
function compare(contract: Contract, logged: Exchange, again: Exchange): string | undefined {
  if (statusOf(logged) !== statusOf(again))
    return `answer: ${statusOf(again)} in place of ${statusOf(logged)}`;
  const isHidden = isWrong(logged) && isWrong(again);
  const [said, found] = [logged, again].map((each) => listCompared(contract, each, isHidden));
  return Object.keys(said ?? {}).find(
    (name) => !jsonEquals(said?.[name] ?? null, found?.[name] ?? null),
  );
}

function statusOf({ outcome }: Exchange): string {
  return outcome.kind === 'answered' ? `${outcome.response.status}` : 'none';
}

/** Whether a credential was sent that is not the key. */
function isWrong({ request: { credential } }: Exchange): boolean {
  return credential !== 'valid' && credential !== 'missing';
}

/** What the rules read. `isHidden`: without what a wrong key decides. */
function listCompared(contract: Contract, exchange: Exchange, isHidden: boolean): JsonObject {
  const { request, outcome, sentAt, endedAt, probe, group } = exchange;
  const { operation, method, target, credential, body } = request;
  const headers = request.headers.filter(
    ([name]) => !isHidden || !['authorization', 'cookie'].includes(name),
  );
  return {
    intent: describeIntent(exchange.intent, isHidden),
    request: {
      operation,
      method,
      target,
      headers,
      credential: isHidden ? 'invalid' : credential,
      body: body ?? null,
    },
    outcome: isHidden ? null : describeOutcome(contract, outcome),
    sentAt,
    endedAt,
    probe,
    group: group ?? null,
  };
}

function describeIntent(intent: Exchange['intent'], isHidden: boolean): JsonValue {
  if (intent.kind !== 'client') return null;
  const { scenario, connection, isWhole, key, refusal } = intent;
  return {
    scenario,
    connection: connection ?? null,
    isWhole,
    key: isHidden ? null : (key ?? null),
    refusal: isHidden ? null : (refusal?.reason ?? null),
  };
}

/**
 * Of a response the status, the headers of the rate limit and the date, and of a success the value of
 * its body: of other bodies, which are words for people, no rule reads anything.
 */
function describeOutcome({ rateLimit }: Contract, outcome: Outcome): JsonValue {
  if (outcome.kind === 'no-response') return outcome.error.reason;
  const { response } = outcome;
  const { status, body, utf8 } = response;
  const names = ['date', ...Object.values(rateLimit?.headers ?? {})];
  return {
    status,
    utf8,
    headers: names.map((name) => headerOf(response, name) ?? null),
    body: status >= 200 && status < 300 ? (readJson(body) ?? body) : null,
  };
}
