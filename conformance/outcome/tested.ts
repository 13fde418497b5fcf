import type { Contract } from '../../contract/contract.ts';
import { describeLeftOut, explainUnread, readShare } from './left-out.ts';
import type { Probe } from '../probes/probe.ts';
import type { Reason } from '../judge/reason/reason.ts';
import { type Exchange, hasResponded } from '../transport/exchange.ts';
import { isLimited } from '../transport/pacing.ts';

/** The probes of a plan, and those that it leaves out, with the reason. */
export interface PlannedProbes {
  readonly probes: readonly Probe[];
  readonly left: readonly { readonly probe: Probe; readonly reason: Reason }[];
  /** Requests of the usual plan for which a smaller budget has no room. */
  readonly omitted: number;
}

/** What became of the probes of a plan: why the run had to end early, and which had no end. */
export interface ProbeOutcome {
  /** Why the run ended before its plan; undefined where it did not. */
  readonly endedEarly: Extract<Reason, { readonly kind: 'ended-early' }> | undefined;
  /** Probes that were under way, or still to come, when the run ended early. */
  readonly unfinished: ReadonlySet<Probe>;
  /** Probes that had nothing to send, with the reason. */
  readonly undrawn: PlannedProbes['left'];
}

/** How much of what a run planned was tested, in requests of the plan. */
export interface TestedShare {
  readonly planned: number;
  readonly tested: number;
  /** Requests that a smaller budget than the usual one left out of the plan. */
  readonly omitted: number;
  readonly required: number;
  /** Percent of the operations of the document that could be read; the others count as not tested. */
  readonly read: number;
  /** What kept the others from being tested; undefined where nothing did. */
  readonly cause: string | undefined;
}

/** Percent of the planned requests that have to be tested where nothing else is asked for. */
export const requiredShare = 90;

/**
 * Counts the planned requests that were tested. A probe was tested if it came to its end and each of
 * its requests had a response in the end that is not a refusal for the rate limit. What had nothing to
 * send for what the target holds was not planned.
 */
export function countTested(
  contract: Contract,
  { probes, omitted }: PlannedProbes,
  { endedEarly, unfinished, undrawn }: ProbeOutcome,
  exchanges: readonly Exchange[],
  required = requiredShare,
): TestedShare {
  const facts = describeLeftOut(contract);
  const turnedAway = listTurnedAway(contract, exchanges);
  const hindered = (probe: Probe): boolean =>
    unfinished.has(probe) || (probe.phase !== 'exhaust' && turnedAway.has(probe.id));
  const isHindered = probes.some(hindered);
  const idle = new Set((isHindered ? [] : undrawn).map(({ probe }) => probe));
  const meant = probes.filter((probe) => !idle.has(probe));
  const nothing = new Set(undrawn.map(({ probe }) => probe));
  const missed = meant.filter((probe) => hindered(probe) || nothing.has(probe));
  const sent = Map.groupBy(exchanges, ({ probe }) => probe);
  const untested = new Set(missed);
  // One that came to its end needed what it sent, which may be less than it takes as a rule.
  const needed = (probe: Probe): number =>
    untested.has(probe)
      ? probe.requests
      : Math.min(probe.requests, sent.get(probe.id)?.length ?? 0);
  const planned = sum(meant.map(needed));
  return {
    planned,
    tested: planned - sum(missed.map(needed)),
    omitted,
    required,
    read: readShare(contract, facts),
    cause: isHindered ? (endedEarly?.text ?? [...turnedAway.values()][0]) : explainUnread(facts),
  };
}

export function isBelowShare({ planned, omitted, tested, required, read }: TestedShare): boolean {
  return tested * read < (planned + omitted) * required;
}

/** Why a run below its share is inconclusive, without a full stop. */
export function explainShare({
  planned,
  omitted,
  tested,
  required,
  read,
  cause,
}: TestedShare): string {
  const all = planned + omitted;
  const percent = Math.floor((read * tested) / Math.max(1, all));
  const which = omitted === 0 ? 'planned requests' : 'requests that a run has by default';
  const unread =
    read === 100 ? '' : ` of the ${Math.floor(read)} % of the operations that could be read`;
  const share = `${tested} of ${all} ${which}${unread} were tested, ${percent} %${unread === '' ? '' : ' of the whole'}, and ${required} % have to be`;
  const budget = omitted === 0 ? undefined : `--requests leaves ${omitted} of them out`;
  return [cause, share, budget].filter((part) => part !== undefined).join('; ');
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

/** By probe, why a request of it was never tested: what its last repetition came to. */
function listTurnedAway(
  contract: Contract,
  exchanges: readonly Exchange[],
): ReadonlyMap<string, string> {
  const latest = new Map<string, Exchange>();
  for (const exchange of exchanges) {
    const { method, target, credential, body = '' } = exchange.request;
    if (exchange.intent.kind === 'beyond') continue;
    latest.set(JSON.stringify([exchange.probe, method, target, credential, body]), exchange);
  }
  return new Map(
    [...latest.values()].flatMap((exchange) => {
      const cause = explainLast(exchange, contract);
      return cause === undefined ? [] : [[exchange.probe, cause] as const];
    }),
  );
}

function explainLast(exchange: Exchange, contract: Contract): string | undefined {
  const { method, target } = exchange.request;
  if (isLimited(exchange, contract))
    return `rate limit: ${method} ${target} was turned away whenever it was sent`;
  if (exchange.outcome.kind === 'answered') return undefined;
  const { message } = exchange.outcome.error;
  return hasResponded(exchange)
    ? `the response to ${method} ${target} cannot be judged: ${message}`
    : `target: ${method} ${target} had no response (${message})`;
}
