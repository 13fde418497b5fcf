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
import { asPetstoreError, PetstoreError } from '../contract/error/petstore-error.ts';
import { smallest } from '../contract/list/list.ts';
import { type MockRequest, type RequestContent, refuse } from '../mock/index.ts';
import { composeClientReport, judgeClient } from './judge.ts';
import { securityOf } from './evidence.ts';
import { absoluteTarget, type ClientRecord, isBadEnd, operationAt } from './log.ts';
import { setUpScenario, type ScenarioRun } from './scenario-run.ts';
import { listScenarios } from './scenarios.ts';

/**
 * Judges a client again from its record and log: replays the requests of every scenario to the
 * mock, and applies the rules to the log. Takes no real time and never throws for a bad log.
 */
export async function rejudge(
  contract: Contract,
  record: ClientRecord,
  exchanges: readonly Exchange[],
): Promise<{ readonly report: Report; readonly departures: readonly Departure[] }> {
  const log = { source: 'scenarios', exchanges } as const;
  const verdicts = judgeClient(contract, log, record);
  const report = composeClientReport(contract, { ...record, baseUrl: '' }, log, verdicts);
  const departures = [...listRecordErrors(contract, record, report)].map((sentence) => ({
    exchange: undefined,
    sentence,
  }));
  return { report, departures: [...departures, ...(await playAgain(contract, record, exchanges))] };
}

/** Whether a certificate of these verdicts says `conforms`: every `must` that applies passed. */
function isWholeProof(verdicts: Report['verdicts']): boolean {
  return verdicts.every(
    ({ kind, requirement: { level, subject } }) =>
      kind === 'passed' || level !== 'must' || (subject.kind === 'client' && !subject.applies),
  );
}

/** Most milliseconds between the start of the observation and the opening of the first scenario. */
const maxDelay = 60_000;

/** What is wrong with a record as a whole, one sentence each. */
export function* listRecordErrors(
  contract: Contract,
  { from, to, scenarios }: ClientRecord,
  { outcome, verdicts }: Report,
): Generator<string> {
  // A client that breaks no rule because it does not work gets no certificate.
  const bad = scenarios.filter(isBadEnd).map(({ id }) => id);
  if (outcome === 'conforms' && bad.length > 0)
    yield `No rule failed, but the command failed in ${bad.join(', ')}.`;
  // `conforms` requires all scenarios: the client may have failed in one that is left out.
  const ids = listScenarios(contract).map(({ id }) => id);
  const missing = ids.filter((id) => scenarios.every((scenario) => scenario.id !== id));
  if (missing.length > 0 && isWholeProof(verdicts))
    yield `Every required rule passed, but not every scenario was run: ${missing.join(', ')}.`;
  const times = scenarios.map(({ openedAt }) => openedAt);
  if (times.some((openedAt) => openedAt < from || openedAt > to))
    yield 'A scenario was opened outside of the recorded period.';
  else if (times.length > 0 && smallest(times) - from > maxDelay)
    yield 'The first scenario was opened too late after the start of the recorded period.';
}

/**
 * Replays the scenarios of a record, each with its part of the log; returns the first difference.
 */
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
      const sentence = `The scenario ${id} does not exist, is recorded twice, or has another \`mustSucceed\`.`;
      return [{ exchange: undefined, sentence }];
    }
    const clock = { now: () => openedAt, sleep: () => Promise.resolve() };
    const run = await setUpScenario(contract, plan, scenario, { clock }).catch(asPetstoreError);
    if (run instanceof PetstoreError)
      return [{ exchange: undefined, sentence: `${id} cannot be set up: ${run.message}` }];
    const play = createReplay(contract, run, to);
    for (; exchanges[at]?.probe === id; at += 1) {
      const exchange = exchanges[at];
      const sentence = exchange && play(exchange);
      if (sentence !== undefined) return [{ exchange: at, sentence }];
    }
  }
  if (at === exchanges.length) return [];
  const sentence = 'This exchange belongs to none of the recorded scenarios, in their order.';
  return [{ exchange: at, sentence }];
}

/**
 * Replays the requests of a log to a newly set up scenario, each at its time; the mock must respond
 * as the log says. A request that was removed, added or edited therefore shows in rate-limit
 * counts, ids and items, even if all digests were recomputed. Compares only what the rules read,
 * not the words of messages. Of responses to a wrong key, which no log contains, only the status is
 * compared. The returned function describes how the next exchange differs, in a sentence.
 * `closedAt`: no request arrived later, by the clock of the scenario runner.
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
      return 'It arrived before its scenario was opened, before the previous request in the log, or after the end of the recorded period.';
    earliest = instant;
    if (intent.times !== undefined) {
      const { opened, arrived, closed = Infinity } = intent.times;
      const isInOrder = opened < arrived && lastArrival < arrived && arrived < closed;
      if (!isInOrder || arrived < sentAt || arrived >= sentAt + 1)
        return 'The times at which its connection was opened, used and closed are impossible.';
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
      : 'In a replay, the mock receives or returns something else here: the log was not recorded by this mock.';
  };
}

/** Reasons for which the HTTP server refuses malformed requests. */
const integrationReasons = [
  'malformed_request',
  'request_timeout',
  'headers_too_large',
  'method_not_allowed',
] as const;

function requestOf(
  contract: Contract,
  exchange: Exchange,
  key: string,
  connections: Map<number, object>,
): MockRequest {
  const { request, intent } = exchange;
  const { connection, refusal, key: owner } = intent.kind === 'client' ? intent : {};
  // A wrong key: an unknown one, or that of another sandbox if the log names its sandbox.
  const secret = !isWrong(exchange) ? key : owner === undefined ? 'invalid-key' : `${key}x`;
  const show = (text: string): string => text.replaceAll(redactedKey, secret);
  const target = show(request.target);
  const security = securityOf(contract, operationAt(contract, request.method, target));
  const showBasic = (text: string): string =>
    text.replace(/^(basic +)\[redacted\]$/i, `$1${btoa(`${secret}:`)}`);
  const isBasic = security.flat().some(({ kind }) => kind === 'basic');
  const headers = Map.groupBy(request.headers, ([name]) => show(name));
  if (connection !== undefined && !connections.has(connection)) connections.set(connection, {});
  return {
    method: request.method,
    target: absoluteTarget(target, contract.basePath),
    headers: Object.fromEntries(
      [...headers].map(([name, all]) => {
        const [value, ...more] = all.map(([, each]) => show(isBasic ? showBasic(each) : each));
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
  // Invalid UTF-8 is logged as U+FFFD. Replace it with an invalid byte, so that it is refused
  // again. If the client sent U+FFFD itself, the body is malformed in another way, and stays so.
  const parts = body.split('\uFFFD').flatMap((part) => [Buffer.of(0xff), Buffer.from(part)]);
  return Buffer.concat(parts.slice(1));
}

/** Whether a credential other than the key was sent. */
function isWrong({ request: { credential } }: Exchange): boolean {
  return credential !== 'valid' && credential !== 'missing';
}

/**
 * The parts that the rules read. `isHidden`: without what depends on the wrong key, except the
 * status.
 */
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
  // Bodies of errors are text for people, which no rule reads.
  const isGood = response.status >= 200 && response.status < 300;
  return [
    response.utf8,
    names.map((name) => headerOf(response, name)),
    isGood ? (readJson(response.body) ?? response.body) : undefined,
  ];
}
