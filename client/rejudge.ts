import {
  type Exchange,
  headerOf,
  readJson,
  redactedKey,
  type Report,
} from '../conformance/index.ts';
import type { Contract } from '../contract/contract.ts';
import { type JsonObject, jsonEquals } from '../contract/json/value.ts';
import { smallest } from '../contract/list/list.ts';
import { type MockRequest, type RequestContent, refuse } from '../mock/index.ts';
import { composeClientReport, judgeClient } from './judge.ts';
import { type ClientRecord, isBadEnd } from './log.ts';
import { setUpScenario, type Setting } from './scenario-run.ts';
import { listScenarios, type Scenario } from './scenarios.ts';

/** Where a log is not what the mock would have seen and answered. */
export interface LogDeparture {
  /** Index in the log; undefined for the log as a whole. */
  readonly at: number | undefined;
  /** A sentence, with its full stop. */
  readonly sentence: string;
}

export interface Rejudgement {
  readonly report: Report;
  readonly departures: readonly LogDeparture[];
}

/**
 * Judges a client again from its record and log: plays every scenario's requests to the mock again,
 * and the rules over the log again. Takes no real time
 * and never throws for a bad log.
 */
export async function rejudge(
  contract: Contract,
  record: ClientRecord,
  exchanges: readonly Exchange[],
): Promise<Rejudgement> {
  const log = { source: 'scenarios', exchanges } as const;
  const verdicts = judgeClient(contract, log, { scenarios: record.scenarios });
  const subject = { ...record.subject, baseUrl: '' };
  const report = composeClientReport(contract, subject, log, verdicts);
  const departures = [
    ...listOdds(contract, record, report),
    ...listStrays(record, exchanges),
    ...(await playAgain(contract, record, exchanges)),
  ];
  return { report, departures };
}

/** The scenarios that were not played. */
export function listMissing(
  contract: Contract,
  played: ClientRecord['scenarios'],
): readonly string[] {
  const ids = listScenarios(contract).map(({ id }) => id);
  return ids.filter((id) => played.every((scenario) => scenario.id !== id));
}

/** Whether verdicts come to a certificate that says `conforms`: every must that applies passed. */
export function isWholeProof(verdicts: Report['verdicts']): boolean {
  return verdicts.every(
    ({ kind, requirement: { level, subject } }) =>
      kind === 'passed' || level !== 'must' || (subject.kind === 'client' && !subject.applies),
  );
}

/** So long after the watch began the first scenario is open at the latest, milliseconds. */
const mostDelay = 60_000;

function depart(sentence: string): LogDeparture {
  return { at: undefined, sentence };
}

/** What is wrong with a record as a whole. */
function* listOdds(
  contract: Contract,
  { subject, scenarios }: ClientRecord,
  { outcome, verdicts }: Report,
): Generator<LogDeparture> {
  // Of a client that breaks no rule, but does not do its work either, nothing is certified.
  for (const { id } of outcome === 'conforms' ? scenarios.filter(isBadEnd) : [])
    yield depart(
      `The command did not come to a good end in ${id}: nothing is certified of a client that does not do its work.`,
    );
  // To conform takes every scenario: the client may have failed in the one that is left out.
  const missing = listMissing(contract, scenarios);
  if (missing.length > 0 && isWholeProof(verdicts))
    yield depart(
      `Every rule that is a must passed, but ${missing.join(', ')} was not played: to conform takes every scenario.`,
    );
  const { from, to } = subject.watched;
  const stray = scenarios.find(({ openedAt }) => openedAt < from || openedAt > to);
  if (stray !== undefined) yield depart(`${stray.id} was opened while the client was not watched.`);
  else if (smallest(scenarios.map(({ openedAt }) => openedAt)) - from > mostDelay && scenarios[0])
    yield depart('The client was watched long before the first scenario was opened.');
}

/** The first exchange that no scenario of the record can have seen, not so, or not in this order. */
function* listStrays(
  { scenarios }: ClientRecord,
  exchanges: readonly Exchange[],
): Generator<LogDeparture> {
  const order = scenarios.map(({ id }) => id);
  const twice = order.find((id, index) => order.indexOf(id) !== index);
  if (twice !== undefined)
    yield { at: undefined, sentence: `The scenario ${twice} is recorded twice.` };
  let place = 0;
  const strange = exchanges.find(({ probe, intent }) => {
    const found = order.indexOf(probe, place);
    place = found;
    return found < 0 || intent.kind !== 'client';
  });
  if (strange !== undefined && twice === undefined)
    yield {
      at: strange.index,
      sentence: `No scenario of the record, in its order, can have seen this exchange of ${strange.probe}.`,
    };
  const last = new Map<string, number>();
  const odd = exchanges.find(({ intent, sentAt }) => {
    if (intent.kind !== 'client' || intent.times === undefined) return false;
    const { opened, arrived, closed = Infinity } = intent.times;
    const before = Math.max(opened, last.get(intent.scenario) ?? 0);
    last.set(intent.scenario, arrived);
    return arrived <= before || arrived >= closed || arrived < sentAt || arrived >= sentAt + 1;
  });
  const sentence = 'No connection can have been opened, used and closed at these times.';
  if (odd !== undefined) yield { at: odd.index, sentence };
}

async function playAgain(
  contract: Contract,
  { subject, scenarios }: ClientRecord,
  exchanges: readonly Exchange[],
): Promise<readonly LogDeparture[]> {
  const known = listScenarios(contract);
  const departures: LogDeparture[] = [];
  for (const { id, mustSucceed, openedAt } of scenarios) {
    const scenario = known.find((one) => one.id === id);
    if (scenario?.mustSucceed !== mustSucceed) {
      const sentence = `There is no scenario ${id}, or it wants another end of the client.`;
      departures.push({ at: undefined, sentence });
      continue;
    }
    const clock = { now: () => openedAt, sleep: () => Promise.resolve() };
    const setting = await setUpScenario(contract, subject.plan, scenario, { clock });
    const logged = exchanges.filter(({ probe }) => probe === id);
    const found = replayLog(contract, scenario, setting, logged, subject.watched.to);
    if (found !== undefined) departures.push(found);
  }
  return departures;
}

/**
 * Plays the requests of a log to a scenario that was set up again, each at its time: the mock has to
 * answer as the log says. So a request that was left out, added or edited shows in the counts of
 * the limit, in identifiers and items, even where whoever edited the log computed all its digests
 * again. Compared is what the rules read, and no words of a message. Of a response to a
 * wrong key, which no log holds, only the status is compared. `closedAt`: nothing came in after it, by
 * the clock of the scenario runner.
 */
function replayLog(
  contract: Contract,
  scenario: Scenario,
  { recorder, sandbox, key, openedAt }: Setting,
  logged: readonly Exchange[],
  closedAt: number,
): LogDeparture | undefined {
  // The sandbox may live years ahead of the mock's clock.
  const ahead = sandbox.clock.now() - openedAt;
  const connections = new Map<number, object>();
  let earliest = openedAt;
  for (const exchange of logged) {
    const { index: at, request, intent } = exchange;
    if (intent.kind !== 'client') continue;
    const instant = exchange.sentAt - ahead;
    const early = `It came in before ${scenario.id} was opened, or before the request that the log has before it.`;
    if (instant < earliest) return { at, sentence: early };
    if (instant > closedAt)
      return { at, sentence: 'It came in after the client was no longer watched.' };
    earliest = instant;
    const reason = integrationReasons.find((each) => each === intent.refusal?.reason);
    if (request.method !== '')
      recorder.handle(requestOf(contract, exchange, key, connections), instant);
    else if (reason !== undefined)
      recorder.refuse(refuse(reason, intent.refusal?.message ?? ''), undefined, instant);
    const again = recorder.exchanges.at(-1);
    const difference = again === undefined ? 'request' : compare(contract, exchange, again);
    const sentence = `Played again, ${scenario.id} comes to another ${difference} here: the log is not what this client sent to this mock.`;
    if (difference !== undefined) return { at, sentence };
  }
  return undefined;
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

/** What differs, in a word; undefined for nothing. */
function compare(contract: Contract, logged: Exchange, again: Exchange): string | undefined {
  const [was, is] = [logged, again].map(({ outcome }) =>
    outcome.kind === 'answered' ? `${outcome.response.status}` : 'none',
  );
  if (was !== is) return `answer: ${is} in place of ${was}`;
  const isHidden = isWrong(logged) && isWrong(again);
  const [said, found] = [logged, again].map((each) => listCompared(contract, each, isHidden));
  return Object.keys(said ?? {}).find(
    (name) => !jsonEquals(said?.[name] ?? null, found?.[name] ?? null),
  );
}

/** What the rules read. `isHidden`: without what a wrong key decides. */
function listCompared(contract: Contract, exchange: Exchange, isHidden: boolean): JsonObject {
  const { request, intent, outcome, sentAt, endedAt, probe, group = null } = exchange;
  const { operation, method, target, credential, body = null } = request;
  const headers = request.headers.filter(
    ([name]) => !isHidden || !['authorization', 'cookie'].includes(name),
  );
  const {
    scenario,
    connection = null,
    isWhole,
    key,
    refusal,
  } = intent.kind === 'client' ? intent : {};
  const owner = isHidden ? null : { key: key ?? null, refusal: refusal?.reason ?? null };
  const sent = { operation, method, target, headers, body };
  const names = ['date', ...Object.values(contract.rateLimit?.headers ?? {})];
  const received = (): JsonObject => {
    if (outcome.kind === 'no-response') return { reason: outcome.error.reason };
    const { response } = outcome;
    // Of other bodies than those of successes, which are words for people, no rule reads anything.
    const isGood = response.status >= 200 && response.status < 300;
    return {
      utf8: response.utf8,
      headers: names.map((name) => headerOf(response, name) ?? null),
      body: isGood ? (readJson(response.body) ?? response.body) : null,
    };
  };
  return {
    intent: { scenario: scenario ?? null, connection, isWhole: isWhole ?? null, owner },
    request: { ...sent, credential: isHidden ? 'invalid' : credential },
    outcome: isHidden ? null : received(),
    sentAt,
    endedAt,
    probe,
    group,
  };
}
