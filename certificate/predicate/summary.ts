import {
  type JsonObject,
  type JsonValue,
  isJsonArray,
  isJsonObject,
  jsonEquals,
  renderJson,
} from '../../contract/index.ts';
import type { Level, Predicate, SubjectKind, Suite, VerdictEntry } from './predicate.ts';

/** Verdicts as people need them. Open questions that nobody asked are no gap in the proof. */
export function summariseVerdicts(verdicts: readonly VerdictEntry[]) {
  const of = (kind: VerdictEntry['verdict']): readonly VerdictEntry[] =>
    verdicts.filter(({ verdict }) => verdict === kind);
  return {
    passed: of('passed').filter(({ level }) => level !== 'open'),
    /** Musts that failed without a waiver in force. */
    failed: of('failed').filter(({ level }) => level === 'must'),
    /** Recommendations that were not followed. They fail no one. */
    advised: of('failed').filter(({ level }) => level !== 'must'),
    waived: of('waived'),
    /** What is done where the contract is silent. */
    observed: of('open'),
    /** Musts and shoulds of which the run says nothing. */
    notTested: of('not-tested').filter(({ level, applies = true }) => level !== 'open' && applies),
    /** Rules about what this client does not do. */
    notApplicable: of('not-tested').filter(({ applies = true }) => !applies),
  };
}

export const levelSentences: Readonly<Record<Level, string>> = {
  conforms:
    'Nothing failed, and every requirement that applies passed, or is covered by a waiver in force.',
  failed: 'At least one requirement failed.',
  incomplete: 'Nothing failed, but not every requirement that applies was tested.',
};

/** The level in a few words: what was waived is never left unsaid. */
export function describeLevel({ level, waivers }: Pick<Predicate, 'level' | 'waivers'>): string {
  if (waivers.length === 0) return level;
  return `${level}, with ${waivers.length === 1 ? '1 waiver' : `${waivers.length} waivers`}`;
}

/** What a certificate is called that no signature shows to be of anybody. */
export const unauthenticated = 'not authenticated';

/** Whom a certificate is of, in the words of its signer. */
export function nameTarget({
  name,
  version,
}: Pick<Predicate['target'], 'name' | 'version'>): string {
  return `${JSON.stringify(name)}, version ${JSON.stringify(version)}`;
}

/** What a certificate is about, whatever it rests on. */
export function subjectOf(kind: Predicate['kind']): SubjectKind {
  return kind === 'client' ? 'client' : 'server';
}

/** What no certificate can show, whoever signed it. */
export const limits: Readonly<Record<SubjectKind, string>> = {
  server:
    'That the responses in the log came from the target is vouched for only by the signers. Another run can confirm it. What passed did so with the responses of this run; other responses may differ.',
  client:
    'That the requests in the log came from the client is vouched for only by the signers. Another run can confirm it. What passed did so with the requests of this run; other requests may differ.',
};

/** The kill rate in words; `isProved`: whether it was compared with the record of its version. */
export function describeSelftest(
  { kind, selftest, suite }: Pick<Predicate, 'kind' | 'selftest' | 'suite'>,
  isProved: boolean,
): string {
  if (selftest === null) return 'No self-test figures.';
  const { mutants, variants, seeds, measuredAt } = selftest;
  const found = `named ${mutants.caught} of ${mutants.runs} mutants of ${subjectOf(kind)}s (${mutants.distinct} kinds, ${seeds === 1 ? '1 seed' : `${seeds} seeds`}), ${variants.falseAlarms} false alarms in ${variants.runs} runs against conforming ${subjectOf(kind)}s`;
  const measured = `${found}; measured on ${isSameSuite(selftest.suite, suite) ? 'this very version' : 'ANOTHER version'}, ${measuredAt.slice(0, 10)}`;
  return isProved
    ? `${measured}, as in the record of this version`
    : `UNVERIFIED claim of the signer: ${measured}`;
}

/** Whether two suites come to the same verdicts over the same log. */
export function isSameSuite(one: Suite, other: Suite): boolean {
  return jsonEquals(one, other);
}

/** A suite in a few words: `petstore-contract 0.1.0 (rules 1, dependencies 3f2a9c0b71d45e88)`. */
export function describeSuite({ name, version, rules, dependencies }: Suite): string {
  return `${name} ${version} (rules ${rules}, dependencies ${dependencies.slice(0, 16)})`;
}

/** Members of configurations that a certificate tells in another place. */
const toldElsewhere = new Set([
  'baseUrl',
  'waivers',
  'startedAt',
  'endedAt',
  'clockMoved',
  'from',
  'to',
]);

/**
 * The members of a configuration for people: plain values as they are, of things that have an id
 * their ids, any others as JSON; those that say nothing are left out.
 */
export function listSettings(
  configuration: JsonObject,
): readonly (readonly [name: string, value: string])[] {
  return Object.entries(configuration)
    .filter(([name]) => !toldElsewhere.has(name))
    .map(([name, value = null]) => [name, showSetting(value)] as const)
    .filter(([, text]) => !['null', '[]', '{}', ''].includes(text));
}

function showSetting(value: JsonValue): string {
  const text = typeof value === 'string' ? value : (idsIn(value) ?? renderJson(value));
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}

function idsIn(value: JsonValue): string | undefined {
  if (!isJsonArray(value) || value.length === 0) return undefined;
  const ids = value.map((each) => (isJsonObject(each) ? each['id'] : undefined));
  return ids.every((id) => typeof id === 'string') ? ids.join(', ') : undefined;
}

/** How long a run took, and how far the clock of a mock in the same process was moved meanwhile. */
export function describeTime({
  run,
  log,
  configuration,
}: Pick<Predicate, 'run' | 'log' | 'configuration'>): string {
  const moved = configuration['clockMoved'];
  const clock =
    typeof moved === 'number' && moved > 0
      ? `; the mock's clock was moved ahead by ${showSeconds(moved)} instead of waiting`
      : '';
  return `${showSeconds(run.milliseconds)}, ${log.length} log entries${clock}`;
}

function showSeconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(2)} s`;
}

/** An instant for people: `2026-11-21 14:00:01 UTC`. */
export function showInstant(instant: string): string {
  return instant.replace('T', ' ').replace(/(\.\d+)?Z$/, ' UTC');
}
