import { type JsonValue, jsonEquals } from '../../contract/index.ts';
import { type CertificateFinding, type FindingKind, breaks, notice } from '../envelope/finding.ts';
import type { Claims, VerdictEntry, WaiverEntry } from '../predicate/predicate.ts';

export type Recomputed =
  | {
      readonly kind: 'recomputed';
      /** Undefined where the log carries no run to its end; the departures say where it ends. */
      readonly claims: Claims | undefined;
      /** Where the run was reached, as its record has it; null where it was reached nowhere. */
      readonly baseUrl: string | null;
      /** Where the log is not what this suite and configuration would have sent and seen. */
      readonly departures: readonly Departure[];
    }
  /** The certificates that are cited, as far as they are at hand. */
  | {
      readonly kind: 'cited';
      readonly findings: readonly CertificateFinding[];
      /** What they come to together; undefined where not all of them are at hand and hold. */
      readonly claims: Claims | undefined;
      readonly baseUrl: string | null;
    }
  /** The configuration or an entry of the log is of no form that the checks can read. */
  | {
      readonly kind: 'unreadable';
      readonly part: 'configuration' | 'log';
      readonly reason: string;
    };

/** A place at which a log departs from the run that it is said to be of. */
export interface Departure {
  /** Index in the log; undefined for the run as a whole. */
  readonly at: number | undefined;
  /** A sentence, with its full stop. */
  readonly sentence: string;
}

export function compareClaims(
  claims: Claims & { readonly baseUrl: string | null },
  again: Recomputed,
): readonly CertificateFinding[] {
  if (again.kind === 'unreadable')
    return [
      breaks(again.part, again.part, `Its verdicts cannot be computed again: ${again.reason}`),
    ];
  if (again.kind === 'cited') {
    if (again.claims === undefined) return again.findings;
    const [where, address] = ['target.baseUrl', 'The address of the target'];
    return [
      ...again.findings,
      ...differ('run', where, address, claims.baseUrl, again.baseUrl),
      ...compareWith(claims, again.claims),
    ];
  }
  const departures = again.departures.map(({ at, sentence }) =>
    breaks('log', at === undefined ? 'log' : `log[${at}]`, sentence),
  );
  const [said, found] = [claims.baseUrl, again.baseUrl];
  return [
    ...departures,
    ...differ('run', 'target.baseUrl', 'The address of the target', said, found),
    ...(again.claims === undefined ? [] : compareWith(claims, again.claims)),
  ];
}

function compareWith(said: Claims, found: Claims): readonly CertificateFinding[] {
  return [
    ...noteWords(listTexts(said), listTexts(found)),
    ...compareRun(said.run, found.run),
    ...compareVerdicts(said.verdicts, found.verdicts),
    ...compareWaivers(said.waivers, found.waivers),
    ...differ('counts', 'counts', 'The counts', said.counts, found.counts, 'are'),
    ...differ('level', 'level', 'The level', said.level, found.level),
  ];
}

function compareRun(said: Claims['run'], found: Claims['run']): readonly CertificateFinding[] {
  const [saidEnd, foundEnd] = [mark(said.endedEarly), mark(found.endedEarly)];
  const [saidWhy, foundWhy] = [said, found].map(({ inconclusive = null }) => mark(inconclusive));
  const [took, takes] = [said.milliseconds, found.milliseconds];
  return [
    ...differ('run', 'run.startedAt', 'The start of the run', said.startedAt, found.startedAt),
    ...differ('run', 'run.milliseconds', 'The length of the run', took, takes),
    ...differ('run', 'run.endedEarly', 'Why the run ended early', saidEnd, foundEnd),
    ...differ('run', 'run.inconclusive', 'Why the run is inconclusive', saidWhy, foundWhy),
  ];
}

/** That there is a text, whatever it says. */
function mark(text: string | null): string | null {
  return text === null ? null : 'told';
}

function compareVerdicts(
  said: readonly VerdictEntry[],
  found: readonly VerdictEntry[],
): readonly CertificateFinding[] {
  const byId = new Map(found.map((entry) => [entry.id, entry]));
  const seen = new Set<string>();
  const told = said.flatMap((entry) => {
    const again = byId.get(entry.id);
    const isOdd = again === undefined || seen.has(entry.id);
    seen.add(entry.id);
    const odd = `It has a verdict on ${entry.id}, which the contract does not have, or a second one.`;
    return isOdd ? [breaks('verdict', 'verdicts', odd)] : compareVerdict(entry, again);
  });
  const missing = found
    .filter(({ id }) => !seen.has(id))
    .map(({ id }) => breaks('verdict', 'verdicts', `The verdict of ${id} is missing.`));
  return [...missing, ...told];
}

function compareVerdict(said: VerdictEntry, found: VerdictEntry): readonly CertificateFinding[] {
  const { id } = said;
  const where = `verdicts (${id})`;
  const verdict = differ('verdict', where, `The verdict of ${id}`, said.verdict, found.verdict);
  if (verdict.length > 0) return verdict;
  const [mine, theirs] = [said, found].map(({ failures }) => failures.map((each) => each.evidence));
  const [applies, appliesHere] = [said, found].map(({ applies = true }) => applies);
  const [why, whyHere] = [mark(said.reason), mark(found.reason)];
  return [
    ...differ('verdict', where, `The level of ${id}`, said.level, found.level),
    ...differ('verdict', where, `Whether ${id} applies`, applies, appliesHere),
    ...differ('reason', where, `Why ${id} is not tested`, why, whyHere),
    ...differ('verdict', where, `The choices of ${id}`, said.choices, found.choices),
    ...differ('verdict', where, `What shows ${id}`, said.evidence, found.evidence),
    ...differ('verdict', where, `What violates ${id}`, mine, theirs),
  ];
}

/** The texts of claims that nothing is decided by, by what they are of. */
function listTexts({ run, verdicts }: Claims): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  const add = (what: string, text: string | null): void => {
    if (text !== null) texts.set(what, text);
  };
  add('why the run ended early', run.endedEarly);
  add('why the run is inconclusive', run.inconclusive ?? null);
  for (const { id, sentence, reason, failures } of verdicts) {
    add(`the sentence of ${id}`, sentence);
    add(`why ${id} is not tested`, reason);
    for (const [at, { expected, received }] of failures.entries()) {
      add(`what was expected in failure ${at + 1} of ${id}`, expected);
      add(`what was received in failure ${at + 1} of ${id}`, received);
    }
  }
  return texts;
}

/** One notice for all texts that this version words otherwise (decision 016). */
function noteWords(
  said: ReadonlyMap<string, string>,
  found: ReadonlyMap<string, string>,
): readonly CertificateFinding[] {
  const other = [...found].filter(([what, text]) => (said.get(what) ?? text) !== text);
  const [[what, text] = []] = other;
  if (what === undefined) return [];
  const more = other.length === 1 ? '' : `, and ${other.length - 1} more texts`;
  const sentence = `This version uses different wording: ${what} is ${show(said.get(what))} in the certificate, and ${show(text)} here${more}. The wording of this version is shown.`;
  return [notice('words', 'verdicts', sentence)];
}

function compareWaivers(
  said: readonly WaiverEntry[],
  found: readonly WaiverEntry[],
): readonly CertificateFinding[] {
  const [mine, theirs] = [describeWaivers(said), describeWaivers(found)];
  const names = new Set([...mine.keys(), ...theirs.keys()]);
  return [...names].flatMap((name) => {
    const [one, other] = [mine.get(name), theirs.get(name)];
    return differ('waiver', `waivers (${name})`, `The waiver of ${name}`, one, other);
  });
}

function describeWaivers(waivers: readonly WaiverEntry[]): ReadonlyMap<string, JsonValue> {
  const groups = Map.groupBy(waivers, ({ requirement }) => requirement);
  return new Map(
    [...groups].map(([name, list]) => [name, list.map(({ requirement: _name, ...rest }) => rest)]),
  );
}

function differ(
  kind: FindingKind,
  where: string,
  what: string,
  said: JsonValue | undefined,
  found: JsonValue | undefined,
  verb = 'is',
): readonly CertificateFinding[] {
  const sentence = `${what} ${verb} ${show(said)} in the certificate, but ${show(found)} according to the log.`;
  return jsonEquals(said ?? null, found ?? null) ? [] : [breaks(kind, where, sentence)];
}

function show(value: JsonValue | undefined): string {
  const isPlain = typeof value === 'string' && value !== 'null';
  const text = isPlain ? value : JSON.stringify(value ?? null);
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
