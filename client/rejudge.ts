import { isDeepStrictEqual } from 'node:util';
import {
  type Departure,
  type Exchange,
  headerOf,
  readJson,
  redactedKey,
  type Report,
} from '../conformance/index.ts';
import type { Contract } from '../contract/contract.ts';
import { smallest } from '../contract/list/list.ts';
import { type MockRequest, type RequestContent, refuse } from '../mock/index.ts';
import { composeClientReport, judgeClient } from './judge.ts';
import { type ClientRecord, isBadEnd } from './log.ts';
import { setUpScenario, type ScenarioRun } from './scenario-run.ts';
import { listScenarios } from './scenarios.ts';

/**
 * Judges a client again from its record and log: plays every scenario's requests to the mock again,
 * and the rules over the log again. Takes no real time and never throws for a bad log.
 */
export async function rejudge(
  contract: Contract,
  record: ClientRecord,
  exchanges: readonly Exchange[],
): Promise<{ readonly report: Report; readonly departures: readonly Departure[] }> {
  const log = { source: 'scenarios', exchanges } as const;
  const verdicts = judgeClient(contract, log, record);
  const report = composeClientReport(contract, { ...record, baseUrl: '' }, log, verdicts);
  const departures = [...listOdds(contract, record, report)].map((sentence) => ({
    exchange: undefined,
    sentence,
  }));
  return { report, departures: [...departures, ...(await playAgain(contract, record, exchanges))] };
}

/** Whether verdicts come to a certificate that says `conforms`: every must that applies passed. */
function isWholeProof(verdicts: Report['verdicts']): boolean {
  return verdicts.every(
    ({ kind, requirement: { level, subject } }) =>
      kind === 'passed' || level !== 'must' || (subject.kind === 'client' && !subject.applies),
  );
}

/** So long after the watch began the first scenario is open at the latest, milliseconds. */
const mostDelay = 60_000;

/** What is wrong with a record as a whole, a sentence each. */
export function* listOdds(
  contract: Contract,
  { from, to, scenarios }: ClientRecord,
  { outcome, verdicts }: Report,
): Generator<string> {
  // Of a client that breaks no rule, but does not do its work either, nothing is certified.
  const bad = scenarios.filter(isBadEnd).map(({ id }) => id);
  if (outcome === 'conforms' && bad.length > 0)
    yield `No rule failed, but the command failed in ${bad.join(', ')}.`;
  // To conform takes every scenario: the client may have failed in the one that is left out.
  const ids = listScenarios(contract).map(({ id }) => id);
  const missing = ids.filter((id) => scenarios.every((scenario) => scenario.id !== id));
  if (missing.length > 0 && isWholeProof(verdicts))
    yield `Every rule that is a must passed, but ${missing.join(', ')} was not played: to conform takes every scenario.`;
  const times = scenarios.map(({ openedAt }) => openedAt);
  if (times.some((openedAt) => openedAt < from || openedAt > to))
    yield 'A scenario was opened while the client was not watched.';
  else if (times.length > 0 && smallest(times) - from > mostDelay)
    yield 'The client was watched long before the first scenario was opened.';
}

/** Plays the scenarios of a record again, each with its part of the log; yields the first departure. */
async function playAgain(
  contract: Contract,
  { plan, to, scenarios }: ClientRecord,
  exchanges: readonly Exchange[],
): Promise<readonly Departure[]> {
  const left = new Map(listScenarios(contract).map((scenario) => [scenario.id, scenario]));
  let at = 0;
  for (const { id, mustSucceed, openedAt } of scenarios) {
    const scenario = left.get(id);
    left.delete(id);
    if (scenario?.mustSucceed !== mustSucceed) {
      const sentence = `There is no scenario ${id}, it is recorded twice, or it wants another end of the client.`;
      return [{ exchange: undefined, sentence }];
    }
    const clock = { now: () => openedAt, sleep: () => Promise.resolve() };
    const run = await setUpScenario(contract, plan, scenario, { clock });
    const play = createReplay(contract, run, to);
    for (; exchanges[at]?.probe === id; at += 1) {
      const exchange = exchanges[at];
      const sentence = exchange && play(exchange);
      if (sentence !== undefined) return [{ exchange: at, sentence }];
    }
  }
  if (at === exchanges.length) return [];
  const sentence = 'No scenario of the record, in its order, can have seen this exchange.';
  return [{ exchange: at, sentence }];
}

/**
 * Plays the requests of a log to a scenario that was set up again, each at its time: the mock has to
 * answer as the log says. So a request that was left out, added or edited shows in the counts of
 * the limit, in identifiers and items, even where whoever edited the log computed all its digests
 * again. Compared is what the rules read, and no words of a message. Of a response to a
 * wrong key, which no log holds, only the status is compared. Returns how the next exchange of the log
 * differs, in a sentence. `closedAt`: nothing came in after it, by the clock of the scenario runner.
 */
function createReplay(contract: Contract, run: ScenarioRun, closedAt: number) {
  const connections = new Map<number, object>();
  let earliest = run.openedAt;
  let lastArrival = 0;
  return (logged: Exchange): string | undefined => {
    const { request, intent, sentAt } = logged;
    if (intent.kind !== 'client') return 'No client sent this request.';
    const instant = sentAt - run.ahead;
    if (instant < earliest || instant > closedAt)
      return 'It came in before its scenario was opened, before the request that the log has before it, or after the client was no longer watched.';
    earliest = instant;
    if (intent.times !== undefined) {
      const { opened, arrived, closed = Infinity } = intent.times;
      const isInOrder = opened < arrived && lastArrival < arrived && arrived < closed;
      if (!isInOrder || arrived < sentAt || arrived >= sentAt + 1)
        return 'No connection can have been opened, used and closed at these times.';
      lastArrival = arrived;
    }
    const before = run.exchanges.length;
    const reason = integrationReasons.find((each) => each === intent.refusal?.reason);
    if (request.method !== '')
      run.handle(requestOf(contract, logged, run.key, connections), instant);
    else if (reason !== undefined)
      run.refuse(refuse(reason, intent.refusal?.message ?? ''), undefined, instant);
    const again = run.exchanges[before];
    const isHidden = again !== undefined && isWrong(logged) && isWrong(again);
    const [said, found] = [logged, again].map((each) => each && listRead(contract, each, isHidden));
    return isDeepStrictEqual(said, found)
      ? undefined
      : 'Played again, the mock sees or answers something else here: the log is not what this client sent to this mock.';
  };
}

/** Why the integration refuses what is not a request that it can read. */
const integrationReasons = [
  'malformed_request',
  'request_timeout',
  'headers_too_large',
  'method_not_allowed',
] as const;

function requestOf(
  { basePath }: Contract,
  exchange: Exchange,
  key: string,
  connections: Map<number, object>,
): MockRequest {
  const { request, intent } = exchange;
  const { connection, refusal, key: owner } = intent.kind === 'client' ? intent : {};
  // A wrong key: unknown, or that of another sandbox where the log has one.
  const secret = !isWrong(exchange) ? key : owner === undefined ? 'invalid-key' : `${key}x`;
  const show = (text: string): string => text.replaceAll(redactedKey, secret);
  const target = show(request.target);
  const headers = Map.groupBy(request.headers, ([name]) => show(name));
  if (connection !== undefined && !connections.has(connection)) connections.set(connection, {});
  return {
    method: request.method,
    target: target.startsWith('/..') ? target.replace(/^(?:\/\.\.)+/, '') : basePath + target,
    headers: Object.fromEntries(
      [...headers].map(([name, all]) => {
        const [value, ...more] = all.map(([, each]) => show(each));
        return [name, more.length === 0 ? value : [value ?? '', ...more]];
      }),
    ),
    content: contentOf(request.body && show(request.body), refusal?.reason),
    connection: connection === undefined ? undefined : connections.get(connection),
  };
}

function contentOf(body: string | undefined, refusal: string | undefined): RequestContent {
  if (body === undefined) return refusal === 'body_too_large' ? 'too-large' : undefined;
  if (refusal !== 'malformed_body') return Buffer.from(body);
  // A byte that is in no UTF-8 is in the log as U+FFFD; it is refused as that character is not.
  // Where the character itself was sent, the body is malformed in another way, and stays so.
  const parts = body.split('\uFFFD').flatMap((part) => [Buffer.of(0xff), Buffer.from(part)]);
  return Buffer.concat(parts.slice(1));
}

/** Whether a credential was sent that is not the key. */
function isWrong({ request: { credential } }: Exchange): boolean {
  return credential !== 'valid' && credential !== 'missing';
}

/** What the rules read. `isHidden`: without what a wrong key decides, but for the status. */
function listRead(contract: Contract, exchange: Exchange, isHidden: boolean): readonly unknown[] {
  const { request, intent, outcome, sentAt, endedAt, probe, group } = exchange;
  if (intent.kind !== 'client') return [];
  const { operation, method, target, credential, body } = request;
  const headers = request.headers.filter(
    ([name]) => !isHidden || !['authorization', 'cookie'].includes(name),
  );
  const { scenario, connection, isWhole, key, refusal } = intent;
  const status = outcome.kind === 'answered' ? outcome.response.status : undefined;
  const seen = [probe, group, scenario, connection, isWhole, sentAt, endedAt, status];
  const sent = [operation, method, target, headers, body];
  if (isHidden) return [seen, sent];
  return [seen, sent, credential, key, refusal?.reason, readOutcome(contract, outcome)];
}

function readOutcome({ rateLimit }: Contract, outcome: Exchange['outcome']): readonly unknown[] {
  if (outcome.kind === 'no-response') return [outcome.error.reason];
  const { response } = outcome;
  const names = ['date', ...Object.values(rateLimit?.headers ?? {})];
  // Of other bodies than those of successes, which are words for people, no rule reads anything.
  const isGood = response.status >= 200 && response.status < 300;
  return [
    response.utf8,
    names.map((name) => headerOf(response, name)),
    isGood ? (readJson(response.body) ?? response.body) : undefined,
  ];
}
