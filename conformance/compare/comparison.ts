import type { Contract } from '../../contract/contract.ts';
import { escapePattern } from '../../contract/openapi/path-pattern.ts';
import { tagPattern } from '../generate/tag.ts';
import type { Requirement } from '../judge/trace/requirement.ts';
import type { Exchange } from '../transport/exchange.ts';
import {
  compareResponses,
  type Explained,
  type ResponseDifference,
  type Sides,
} from './responses.ts';
import type { Report } from '../run/report.ts';
import { commonChoices, type Observation } from '../judge/trace/finding.ts';
import type { Verdict, Failure } from '../judge/verdict.ts';

/** What two runs of one plan show to differ between two targets. */
export interface Comparison {
  readonly outcome: 'same' | 'different';
  readonly reports: Sides<Report>;
  /** In the contract's order, as all lists. */
  readonly failures: readonly FailureDifference[];
  readonly choices: readonly ChoiceDifference[];
  /** What differs in other responses. */
  readonly responses: readonly ResponseDifference[];
  /** What only one side showed: no difference of behaviour. */
  readonly oneSided: readonly OneSided[];
  /** How many requirements and open questions both sides showed. */
  readonly compared: { readonly requirements: number; readonly questions: number };
}

/** A requirement that one side breaks, or both differently; the failures that differ come first. */
export interface FailureDifference {
  readonly requirement: Requirement;
  readonly verdicts: Sides<Verdict>;
}

/** An open question with different answers: what shows each, without what both did alike. */
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
  const views = { a: createView(a, contract), b: createView(b, contract) };
  const ofB = new Map(b.verdicts.map((verdict) => [verdict.requirement.id, verdict]));
  const pairs = a.verdicts.flatMap((verdict): readonly Sides<Verdict>[] => {
    const other = ofB.get(verdict.requirement.id);
    return other !== undefined ? [{ a: verdict, b: other }] : [];
  });
  const failures = pairs.flatMap((verdicts) => compareFailures(verdicts, views));
  const choices = pairs.flatMap((verdicts) => compareChoices(verdicts, views));
  const shown = new Set(
    pairs.filter((each) => isShown(each.a) || isShown(each.b)).map((each) => each.a.requirement.id),
  );
  // Of operations that were to be judged.
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

/** The exchanges in which a requirement is failed, and the questions that are answered differently. */
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
  const failures = verdicts.filter(isFailed).flatMap((verdict) => verdict.failures);
  return new Set(failures.flatMap(({ exchange, others }) => [exchange, ...others]));
}

/** What is needed of a run to compare it with another. */
interface View {
  readonly exchanges: readonly Exchange[];
  /** Ids of the probes that sent something. */
  readonly probes: ReadonlySet<string>;
  /** A text of the run in a form in which two runs can be compared. */
  readonly normalise: (text: string) => string;
}

function createView({ exchanges, run }: Report, { resources }: Contract): View {
  const replacements: readonly (readonly [RegExp, string])[] = [
    // A response as the checks describe one: its status, then what else it has.
    [/(?<!\d)([1-5]\d\d)(?: \([^)]*\) .*| [[{"<].*)$/s, '$1'],
    [tagPattern(run.tag), '<tag>'],
    ...resources.map(({ collectionPath }): readonly [RegExp, string] => {
      const path = escapePattern(collectionPath.replace(/\/$/, ''));
      return [new RegExp(`(${path}/)[^/?\\s"']+`, 'g'), '$1<identifier>'];
    }),
    [/(without the item )\S+/g, '$1<identifier>'],
    // HTTP-date (RFC 9110 section 5.6.7).
    [/\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT/g, '<time>'],
    // Any other number, such as those of a time.
    [/(?<![\d.])-?\d+(?:\.\d+)?/g, '<number>'],
  ];
  return {
    exchanges,
    probes: new Set(exchanges.map(({ probe }) => probe)),
    normalise: (text) =>
      replacements.reduce((all, [pattern, name]) => all.replace(pattern, name), text),
  };
}

function isShown({ kind }: Verdict): boolean {
  return kind !== 'not-tested';
}

type Failed = Extract<Verdict, { kind: 'failed' | 'waived' }>;

function isFailed(verdict: Verdict): verdict is Failed {
  return verdict.kind === 'failed' || verdict.kind === 'waived';
}

function findOneSided({ a, b }: Sides<Verdict>): readonly OneSided[] {
  if (isFailed(a) || isFailed(b)) return [];
  const { requirement } = a;
  if (a.kind === 'not-tested' && isShown(b))
    return [{ requirement, shownBy: 'b', reason: a.reason }];
  if (b.kind === 'not-tested' && isShown(a))
    return [{ requirement, shownBy: 'a', reason: b.reason }];
  return [];
}

function compareFailures(
  { a, b }: Sides<Verdict>,
  views: Sides<View>,
): readonly FailureDifference[] {
  const { requirement } = a;
  if (!isFailed(a) && !isFailed(b)) return [];
  if (!isFailed(a) || !isFailed(b)) return [{ requirement, verdicts: { a, b } }];
  const common = views.a.probes.intersection(views.b.probes);
  const [ofA, ofB] = [describeFailures(a, views.a, common), describeFailures(b, views.b, common)];
  const verdicts = { a: putFirst(a, ofA, ofB), b: putFirst(b, ofB, ofA) };
  return new Set(ofA.keys()).symmetricDifference(ofB).size === 0 ? [] : [{ requirement, verdicts }];
}

/** What the failures of probes are that both runs sent, in normal form. */
function describeFailures(
  { requirement, failures }: Failed,
  { exchanges, normalise }: View,
  common: ReadonlySet<string>,
): ReadonlyMap<string, Failure> {
  const { subject } = requirement;
  const isBody = subject.kind === 'body' && subject.part !== 'content-type';
  return new Map(
    failures.toReversed().flatMap((failure): readonly [string, Failure][] => {
      const { expected, received, exchange } = failure.shrunkFrom ?? failure;
      const probe = exchanges[exchange]?.probe ?? '';
      if (!common.has(probe) || probe.startsWith('shrink: ')) return [];
      // A status, or a body that is no JSON: the request shows what is wrong, elsewhere the texts do.
      if (/^\d{3}\b/.test(expected)) return [[`${probe}: ${received.slice(0, 3)}`, failure]];
      if (isBody && subject.part === 'whole') return [[probe, failure]];
      // Which data a target has is its own business.
      const [wanted = ''] = isBody ? expected.split(', not ') : [expected];
      const came = isBody ? kindOf(received) : normalise(received);
      return [[`${normalise(wanted)} | ${came}`, failure]];
    }),
  );
}

/** What kind of JSON text a text begins. */
function kindOf(text: string): string {
  if (/^(?:true|false|null|nothing|no body)\b/.test(text)) return text.split(' in ')[0] ?? '';
  return /^-?\d/.test(text) ? 'number' : text.charAt(0);
}

/** With the failures first that the other side does not have. */
function putFirst<V extends Failed>(
  verdict: V,
  own: ReadonlyMap<string, Failure>,
  other: ReadonlyMap<string, Failure>,
): V {
  const alone = new Set([...own].flatMap(([key, failure]) => (other.has(key) ? [] : [failure])));
  const rank = (failure: Failure): number => (alone.has(failure) ? 0 : 1);
  const failures = verdict.failures.toSorted((a, b) => rank(a) - rank(b));
  return { ...verdict, failures };
}

/** Compares the choices in an open question way by way, where both runs asked in the same way. */
function compareChoices({ a, b }: Sides<Verdict>, views: Sides<View>): readonly ChoiceDifference[] {
  if (a.kind !== 'open' || b.kind !== 'open') return [];
  const [ofA, ofB] = [groupByWay(a, views.a), groupByWay(b, views.b)];
  const differing = [...ofA].flatMap(([way, one]) => {
    const other = ofB.get(way);
    return other === undefined || agree(one, other, views) ? [] : [way];
  });
  if (differing.length === 0) return [];
  const { requirement } = a;
  const question = requirement.id.replace(/^.*\/open\./, '');
  const show = (groups: Ways) => differing.flatMap((way) => groups.get(way) ?? []);
  return [{ requirement, question, observations: { a: show(ofA), b: show(ofB) } }];
}

/** Observations of an open question by the way in which it was asked; empty for an ordinary request. */
type Ways = ReadonlyMap<string, readonly Observation[]>;

function groupByWay(
  { observations }: Extract<Verdict, { kind: 'open' }>,
  { exchanges }: View,
): Ways {
  return Map.groupBy(observations, ({ exchange }) => {
    const intent = exchanges[exchange]?.intent;
    return intent?.kind === 'open' ? intent.way : '';
  });
}

/** A choice fits both sides; where none fits either, both did the same. */
function agree(one: readonly Observation[], other: readonly Observation[], views: Sides<View>) {
  const [ofOne, ofOther] = [commonChoices(one), commonChoices(other)];
  if (ofOne.length + ofOther.length > 0) return ofOne.some((choice) => ofOther.includes(choice));
  // A choice that the document does not list is named by what shows it.
  const textsOf = (seen: readonly Observation[], { normalise }: View) =>
    new Set(seen.map(({ choices, evidence }) => choices.join() || `else: ${normalise(evidence)}`));
  return textsOf(one, views.a).symmetricDifference(textsOf(other, views.b)).size === 0;
}
