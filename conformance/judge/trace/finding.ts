import { defined } from '../../../contract/list/defined.ts';
import type { Undecided } from '../../../contract/schema/schema-node.ts';

/** What was expected in an exchange, and what was received. */
export interface Mismatch {
  readonly exchange: number;
  /** Other exchanges that the failure depends on, such as the addition before a read. */
  readonly others: readonly number[];
  readonly expected: string;
  readonly received: string;
  /** Id of the requirement whose failure led to this one, where the log shows that. */
  readonly because?: string | undefined;
  /** JSON pointer to the value that is wrong, in the body of the response; undefined for no single one. */
  readonly at?: string | undefined;
  /** The same in the response of the first of `others`, to the value as it was before. */
  readonly before?: string | undefined;
  /** JSON pointer in the document of the schema keyword that the value breaks. */
  readonly rule?: string | undefined;
}

/** What a target did where the document leaves its behaviour open. */
export interface Observation {
  /** Ids of the choices that allow it; empty if none does. */
  readonly choices: readonly string[];
  readonly exchange: number;
  readonly evidence: string;
}

/**
 * One result of a check for a requirement. All findings of a requirement together give its verdict.
 */
export type Finding =
  | { readonly kind: 'passed'; readonly requirement: string; readonly exchange: number }
  | ({ readonly kind: 'failed'; readonly requirement: string } & Mismatch)
  | Doubt
  | ({ readonly kind: 'open'; readonly question: string } & Observation);

/**
 * What an exchange shows against a requirement without failing it, because another requirement is
 * the cause or because it proves too little. `unclear`: the requirement is not tested, whatever
 * other exchanges show. `isUndecided`: judging would exceed a limit, so it is unknown whether the
 * exchange breaks the requirement. `excused`: the response may be valid and proves nothing; other
 * exchanges may still show the requirement.
 */
export type Doubt =
  | ({ readonly kind: 'unclear'; readonly isUndecided?: true } & Reason)
  | ({ readonly kind: 'excused' } & Reason);

interface Reason {
  readonly requirement: string;
  readonly exchange: number;
  /** What was seen, and why it fails nothing here: `returned 400, which fails createPet/status.201`. */
  readonly reason: string;
  readonly because?: string | undefined;
}

/** Leaves a requirement untested, whatever other exchanges show. */
export function unclear(
  requirement: string,
  exchange: number,
  reason: string,
  because?: string,
): Extract<Doubt, { readonly kind: 'unclear' }> {
  return {
    kind: 'unclear',
    requirement,
    exchange,
    reason,
    ...(because !== undefined && { because }),
  };
}

/** Leaves a requirement undecided, because judging the exchange would exceed a limit. */
export function undecided(
  requirement: string,
  exchange: number,
  what: string,
  { kind, reason }: Undecided,
): Doubt {
  const doubt = unclear(requirement, exchange, `${what} was not fully judged: it ${reason}`);
  // If the schema itself cannot be judged, no value is to blame.
  return kind === 'schema' ? doubt : { ...doubt, isUndecided: true };
}

/** Excuses an exchange that proves nothing about a requirement. */
export function excused(requirement: string, exchange: number, reason: string): Doubt {
  return { kind: 'excused', requirement, exchange, reason };
}

export function passed(requirement: string, exchange: number): Finding {
  return { kind: 'passed', requirement, exchange };
}

export function failed(
  requirement: string,
  exchange: number,
  expected: string,
  received: string,
  others: readonly number[] = [],
  place: Pick<Mismatch, 'because' | 'at' | 'before' | 'rule'> = {},
): Finding {
  return { kind: 'failed', requirement, exchange, others, expected, received, ...defined(place) };
}

export function judged(isKept: boolean, ...failure: Parameters<typeof failed>): Finding {
  return isKept ? passed(failure[0], failure[1]) : failed(...failure);
}

export function observed(question: string, observation: Observation): Finding {
  return { kind: 'open', question, ...observation };
}

/**
 * Ids of the choices that all observations of a question fit: several where they do not show which
 * one it is, none if the target does something else.
 */
export function commonChoices(observations: readonly Observation[]): readonly string[] {
  const [first, ...others] = observations;
  return (first?.choices ?? []).filter((id) => others.every(({ choices }) => choices.includes(id)));
}

/**
 * Drops the passes of requirements that need several exchanges, if some of those are still missing.
 */
export function* withoutIncomplete(
  findings: readonly Finding[],
  isIncomplete: (requirement: string, exchanges: readonly number[]) => boolean,
): Generator<Finding> {
  const passes = findings.filter((finding) => finding.kind === 'passed');
  const incomplete = new Set<string>();
  for (const [id, found] of Map.groupBy(passes, ({ requirement }) => requirement)) {
    const exchanges = found.map(({ exchange }) => exchange);
    if (isIncomplete(id, exchanges)) incomplete.add(id);
  }
  for (const finding of findings)
    if (finding.kind !== 'passed' || !incomplete.has(finding.requirement)) yield finding;
}
