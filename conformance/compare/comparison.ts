import type { Contract } from '../../contract/contract.ts';
import type { Requirement } from '../judge/trace/requirement.ts';
import { ComparedRun } from './compared-run.ts';
import {
  compareResponses,
  type Explained,
  type ResponseDifference,
  type Sides,
} from './responses.ts';
import type { Report } from '../run/report.ts';
import { commonChoices, type Observation } from '../judge/trace/finding.ts';
import type { Verdict, Failure } from '../judge/verdict.ts';

/** The differences between two targets in two runs of one plan. */
export interface Comparison {
  readonly outcome: 'same' | 'different';
  readonly reports: Sides<Report>;
  /** In the contract's order, as all lists. */
  readonly failures: readonly FailureDifference[];
  readonly choices: readonly ChoiceDifference[];
  /** Differences in other responses. */
  readonly responses: readonly ResponseDifference[];
  /** Requirements that only one side showed, which is no difference in behaviour. */
  readonly oneSided: readonly OneSided[];
  /** How many requirements and open questions both sides showed. */
  readonly compared: { readonly requirements: number; readonly questions: number };
}

/** A requirement that one side breaks, or both in different ways. Different failures come first. */
export interface FailureDifference {
  readonly requirement: Requirement;
  readonly verdicts: Sides<Verdict>;
}

/** An open question with different choices, with the observations that differ. */
export interface ChoiceDifference {
  readonly requirement: Requirement;
  readonly question: string;
  readonly observations: Sides<readonly Observation[]>;
}

/** A requirement or open question that one side showed and the other did not. */
export interface OneSided {
  readonly requirement: Requirement;
  /** The side that showed it. */
  readonly shownBy: keyof Sides<unknown>;
  /** Why the other side did not. */
  readonly reason: string;
}

/** Compares two reports of one contract. Pure: the same reports compare the same. */
export function compareReports(contract: Contract, a: Report, b: Report): Comparison {
  const runs = { a: new ComparedRun(a, contract), b: new ComparedRun(b, contract) };
  const ofB = new Map(b.verdicts.map((verdict) => [verdict.requirement.id, verdict]));
  const pairs = a.verdicts.flatMap((verdict): readonly Sides<Verdict>[] => {
    const other = ofB.get(verdict.requirement.id);
    return other !== undefined ? [{ a: verdict, b: other }] : [];
  });
  const failures = pairs.flatMap((verdicts) => compareFailures(verdicts, runs));
  const choices = pairs.flatMap((verdicts) => compareChoices(verdicts, runs));
  const shown = new Set(
    pairs.filter((each) => isShown(each.a) || isShown(each.b)).map((each) => each.a.requirement.id),
  );
  // Only of selected operations.
  const responses = compareResponses(contract, { a, b }, explain(pairs, choices)).filter(
    ({ requirement }) => shown.has(requirement.id),
  );
  const both = pairs
    .filter((verdicts) => isShown(verdicts.a) && isShown(verdicts.b))
    .map((verdicts) => verdicts.a.requirement.level);
  return {
    outcome: failures.length + choices.length + responses.length === 0 ? 'same' : 'different',
    reports: { a, b },
    failures,
    choices,
    responses,
    oneSided: pairs.flatMap(findOneSided),
    compared: {
      requirements: both.filter((level) => level !== 'open').length,
      questions: both.filter((level) => level === 'open').length,
    },
  };
}

/** The exchanges that fail a requirement, and the questions with different choices. */
function explain(
  pairs: readonly Sides<Verdict>[],
  choices: readonly ChoiceDifference[],
): Explained {
  return {
    exchanges: {
      a: failingExchanges(pairs.map(({ a }) => a)),
      b: failingExchanges(pairs.map(({ b }) => b)),
    },
    questions: new Set(choices.map(({ question }) => question)),
  };
}

function failingExchanges(verdicts: readonly Verdict[]): ReadonlySet<number> {
  return new Set(
    verdicts
      .filter(isFailed)
      .flatMap(({ failures }) => failures.flatMap(({ exchange, others }) => [exchange, ...others])),
  );
}

function isShown({ kind }: Verdict): boolean {
  return kind !== 'not-tested';
}

type Failed = Extract<Verdict, { kind: 'failed' | 'waived' }>;

function isFailed(verdict: Verdict): verdict is Failed {
  return verdict.kind === 'failed' || verdict.kind === 'waived';
}

function findOneSided({ a, b }: Sides<Verdict>): readonly OneSided[] {
  if (isShown(a) === isShown(b) || isFailed(a) || isFailed(b)) return [];
  const missing = a.kind === 'not-tested' ? a : b;
  const reason = missing.kind === 'not-tested' ? missing.reason : '';
  return [{ requirement: a.requirement, shownBy: missing === a ? 'b' : 'a', reason }];
}

function compareFailures(
  { a, b }: Sides<Verdict>,
  runs: Sides<ComparedRun>,
): readonly FailureDifference[] {
  const { requirement } = a;
  if (!isFailed(a) && !isFailed(b)) return [];
  if (!isFailed(a) || !isFailed(b)) return [{ requirement, verdicts: { a, b } }];
  const common = runs.a.probes.intersection(runs.b.probes);
  const [ofA, ofB] = [describeFailures(a, runs.a, common), describeFailures(b, runs.b, common)];
  const [onlyA, onlyB] = [lacking(ofA, ofB), lacking(ofB, ofA)];
  if (onlyA.length + onlyB.length === 0) return [];
  return [{ requirement, verdicts: { a: putFirst(a, onlyA), b: putFirst(b, onlyB) } }];
}

/** Failures by their normal form. Only those of probes that both runs sent. */
function describeFailures(
  { requirement, failures }: Failed,
  run: ComparedRun,
  common: ReadonlySet<string>,
): ReadonlyMap<string, Failure> {
  return new Map(
    failures.toReversed().flatMap((failure): readonly [string, Failure][] => {
      const found = failure.shrunkFrom ?? failure;
      const exchange = run.exchanges[found.exchange];
      const probe = exchange?.probe ?? '';
      const isCommon = common.has(probe) && !probe.startsWith('shrink: ');
      // A wrong status is identified by its request, other failures by their texts.
      if (!isCommon || exchange === undefined) return [];
      const isStatus = /^\d{3}\b/.test(found.expected);
      const asked = isStatus ? `${probe}: ${run.sent(exchange)}: ` : '';
      return [[`${asked}${run.failure(found, requirement, exchange)}`, failure]];
    }),
  );
}

function lacking(
  all: ReadonlyMap<string, Failure>,
  other: ReadonlyMap<string, Failure>,
): readonly Failure[] {
  return [...all].flatMap(([key, failure]) => (other.has(key) ? [] : [failure]));
}

function putFirst<V extends Failed>(verdict: V, first: readonly Failure[]): V {
  const chosen = new Set(first);
  const others = verdict.failures.filter((each) => !chosen.has(each));
  return {
    ...verdict,
    failures: [...verdict.failures.filter((each) => chosen.has(each)), ...others],
  };
}

/** Compares the choices in an open question for each way in which both runs asked. */
function compareChoices(
  { a, b }: Sides<Verdict>,
  runs: Sides<ComparedRun>,
): readonly ChoiceDifference[] {
  if (a.kind !== 'open' || b.kind !== 'open') return [];
  const [ofA, ofB] = [groupByWay(a, runs.a), groupByWay(b, runs.b)];
  const differing = [...ofA.keys()].filter((way) => {
    const [one, other] = [ofA.get(way), ofB.get(way)];
    return one && other && !agree(one, other);
  });
  if (differing.length === 0) return [];
  const show = ({ observations }: Observed, run: ComparedRun): readonly Observation[] =>
    observations.filter((each) => differing.includes(run.wayOf(each)));
  const { requirement } = a;
  const question = requirement.id.replace(/^.*\/open\./, '');
  return [{ requirement, question, observations: { a: show(a, runs.a), b: show(b, runs.b) } }];
}

type Observed = Extract<Verdict, { kind: 'open' }>;

/** What was seen of an open question that was asked in one way. */
interface Seen {
  /** The choices that fit. */
  readonly choices: readonly string[];
  /** What was seen, in normal form; each once. */
  readonly texts: ReadonlySet<string>;
}

/** Whether a choice fits both sides or, if none fits either, both did the same. */
function agree(one: Seen, other: Seen): boolean {
  if (one.choices.length + other.choices.length > 0)
    return one.choices.some((choice) => other.choices.includes(choice));
  return one.texts.symmetricDifference(other.texts).size === 0;
}

function groupByWay(
  { requirement, observations }: Observed,
  run: ComparedRun,
): ReadonlyMap<string, Seen> {
  const ways = Map.groupBy(observations, (each) => run.wayOf(each));
  return new Map(
    [...ways].map(([way, own]) => {
      // A choice that the document does not list is identified by its evidence.
      const texts = own.map(
        ({ choices, evidence }) => choices.join() || `else: ${run.text(evidence, requirement)}`,
      );
      return [way, { choices: commonChoices(own), texts: new Set(texts) }];
    }),
  );
}
