import type { Exchange, Report } from '../conformance/index.ts';
import type { Contract } from '../contract/contract.ts';
import type { ClientRecord } from './log/client-record.ts';
import { composeClientReport } from './log/compose-report.ts';
import { judgeClient } from './judge.ts';
import { isBadEnd } from './log/log.ts';
import { type LogDeparture, replayLog } from './run/replay.ts';
import { createScenarioRunner } from './run/scenario-run.ts';
import { listScenarios } from './scenarios/scenarios.ts';

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
    ...listBadEnds(record, report),
    ...listUnplayed(contract, record, report),
    ...listStrays(record, exchanges),
    ...listOddTimes(record),
    ...listOddConnections(exchanges),
    ...(await playAgain(contract, record, exchanges)),
  ];
  return { report, departures };
}

/** Of a client that breaks no rule, but does not do its work either, nothing is certified. */
function listBadEnds({ scenarios }: ClientRecord, { outcome }: Report): readonly LogDeparture[] {
  const bad = outcome === 'conforms' ? scenarios.filter(isBadEnd) : [];
  const why = 'nothing is certified of a client that does not do its work.';
  return bad.map(({ id }) =>
    departOnWhole(`The command did not come to a good end in ${id}: ${why}`),
  );
}

function departOnWhole(sentence: string): LogDeparture {
  return { at: undefined, sentence };
}

/** To conform takes every scenario: the client may have failed in the one that is left out. */
function listUnplayed(
  contract: Contract,
  { scenarios }: ClientRecord,
  { verdicts }: Report,
): readonly LogDeparture[] {
  const missing = listMissing(contract, scenarios);
  const sentence = `Every rule that is a must passed, but ${missing.join(', ')} was not played: to conform takes every scenario.`;
  return missing.length === 0 || !isWholeProof(verdicts) ? [] : [departOnWhole(sentence)];
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

/** Scenarios that were opened before or after the client was watched, or long after that began. */
function listOddTimes({ subject, scenarios }: ClientRecord): readonly LogDeparture[] {
  const { from, to } = subject.watched;
  const times = scenarios.map(({ openedAt }) => openedAt);
  const stray = scenarios.find(({ openedAt }) => openedAt < from || openedAt > to);
  if (stray !== undefined)
    return [departOnWhole(`${stray.id} was opened while the client was not watched.`)];
  return times.length > 0 && times.reduce((one, other) => Math.min(one, other)) - from > mostDelay
    ? [departOnWhole('The client was watched long before the first scenario was opened.')]
    : [];
}

/** Requests that came in before their connection was opened, after it was closed, or out of turn. */
function listOddConnections(exchanges: readonly Exchange[]): readonly LogDeparture[] {
  const sentence = 'No connection can have been opened, used and closed at these times.';
  const last = new Map<string, number>();
  const odd = exchanges.find(({ intent, sentAt }) => {
    const times = intent.kind === 'client' ? intent.times : undefined;
    if (intent.kind !== 'client' || times === undefined) return false;
    const { opened, arrived, closed = Infinity } = times;
    const before = Math.max(opened, last.get(intent.scenario) ?? 0);
    last.set(intent.scenario, arrived);
    return arrived <= before || arrived >= closed || arrived < sentAt || arrived >= sentAt + 1;
  });
  return odd === undefined ? [] : [{ at: odd.index, sentence }];
}

/** What no scenario of the record can have seen, or not in this order. */
function listStrays(
  { scenarios }: ClientRecord,
  exchanges: readonly Exchange[],
): readonly LogDeparture[] {
  const order = scenarios.map(({ id }) => id);
  const twice = order.find((id, index) => order.indexOf(id) !== index);
  if (twice !== undefined) return [departOnWhole(`The scenario ${twice} is recorded twice.`)];
  let place = 0;
  for (const { index, probe, intent } of exchanges) {
    const found = order.indexOf(probe, place);
    const sentence = `No scenario of the record, in its order, can have seen this exchange of ${probe}.`;
    if (found < 0 || intent.kind !== 'client') return [{ at: index, sentence }];
    place = found;
  }
  return [];
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
      departures.push(departOnWhole(sentence));
      continue;
    }
    const clock = { now: () => openedAt, sleep: () => Promise.resolve() };
    const runner = createScenarioRunner(contract, subject.plan, { clock });
    const setting = await runner.setUp(scenario);
    const logged = exchanges.filter(({ probe }) => probe === id);
    const found = replayLog(contract, scenario, setting, logged, subject.watched.to);
    for (const departure of found) departures.push(departure);
  }
  return departures;
}
