import {
  type JsonObject,
  type JsonValue,
  isJsonArray,
  isJsonObject,
  renderJson,
} from '../../contract/index.ts';
import { isSameSuite } from './suite.ts';
import type { Level, Predicate, SubjectKind, VerdictEntry } from './predicate.ts';

/** Verdicts as people need them. Open questions that nobody asked are no gap in the proof. */
export interface VerdictSummary {
  readonly passed: readonly VerdictEntry[];
  /** Musts that failed without a waiver in force. */
  readonly failed: readonly VerdictEntry[];
  /** Recommendations that were not followed. They fail no one. */
  readonly advised: readonly VerdictEntry[];
  readonly waived: readonly VerdictEntry[];
  /** What is done where the contract is silent. */
  readonly observed: readonly VerdictEntry[];
  /** Musts and shoulds of which the run says nothing. */
  readonly notTested: readonly VerdictEntry[];
}

export function summariseVerdicts(verdicts: readonly VerdictEntry[]): VerdictSummary {
  const of = (kind: VerdictEntry['verdict']): readonly VerdictEntry[] =>
    verdicts.filter(({ verdict }) => verdict === kind);
  return {
    passed: of('passed').filter(({ level }) => level !== 'open'),
    failed: of('failed').filter(({ level }) => level === 'must'),
    advised: of('failed').filter(({ level }) => level !== 'must'),
    waived: of('waived'),
    observed: of('open'),
    notTested: of('not-tested').filter(({ level }) => level !== 'open'),
  };
}

export const levelSentences: Readonly<Record<Level, string>> = {
  conforms: 'Nothing failed, and every requirement passed, or is covered by a waiver in force.',
  failed: 'At least one requirement failed.',
  incomplete: 'Nothing failed, but not everything that conforming takes was tested.',
};

/** The level in a few words: what was waived is never left unsaid. */
export function describeLevel({ level, waivers }: Pick<Predicate, 'level' | 'waivers'>): string {
  if (waivers.length === 0) return level;
  return `${level}, with ${waivers.length === 1 ? '1 waiver' : `${waivers.length} waivers`}`;
}

/** What no certificate can show, whoever signed it. */
export const limits: Readonly<Record<SubjectKind, string>> = {
  server:
    'That the responses in the log are what the target answered rests on those who signed. A second party that watched the run, or ran it again, can add its signature. What passed did so with the responses of this run; that says nothing about others.',
  client:
    'That the requests in the log are what the client sent rests on those who signed. A second party that watched the run, or ran it again, can add its signature. What passed did so with the requests of this run; that says nothing about others.',
};

export function describeSelftest({ selftest, suite }: Predicate): string {
  if (selftest === null) return 'The suite carries no measurement of itself.';
  const { mutants, variants, seeds, measuredAt } = selftest;
  const found = `named ${mutants.caught} of ${mutants.runs} mutants (${mutants.distinct} kinds, ${seeds === 1 ? '1 seed' : `${seeds} seeds`}), ${variants.falseAlarms} false alarms in ${variants.runs} runs of lawful servers`;
  return `${found}; measured on ${isSameSuite(selftest.suite, suite) ? 'this very version' : 'ANOTHER version'}, ${measuredAt.slice(0, 10)}`;
}

/** Members of configurations that a certificate tells in another place. */
const toldElsewhere: readonly string[] = [
  'baseUrl',
  'waivers',
  'startedAt',
  'endedAt',
  'from',
  'to',
];

/**
 * The members of a configuration for people: plain values as they are, of things that have an id
 * their ids, any others as JSON; those that say nothing are left out.
 */
export function listSettings(
  configuration: JsonObject,
): readonly (readonly [name: string, value: string])[] {
  return Object.entries(configuration).flatMap(
    ([name, value = null]): readonly (readonly [string, string])[] => {
      const text = typeof value === 'string' ? value : (idsIn(value) ?? renderJson(value));
      if (toldElsewhere.includes(name) || ['null', '[]', '{}', ''].includes(text)) return [];
      return [[name, text.length > 200 ? `${text.slice(0, 200)}…` : text]];
    },
  );
}

function idsIn(value: JsonValue): string | undefined {
  if (!isJsonArray(value) || value.length === 0) return undefined;
  const ids = value.map((each) => (isJsonObject(each) ? each['id'] : undefined));
  return ids.every((id) => typeof id === 'string') ? ids.join(', ') : undefined;
}

/** An instant for people: `2026-11-21 14:00:01 UTC`. */
export function showInstant(instant: string): string {
  return instant.replace('T', ' ').replace(/(\.\d+)?Z$/, ' UTC');
}
