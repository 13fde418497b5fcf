import type { Parts } from '../service/behaviour.ts';

/** What replaces parts of a service: a function where it keeps a state of its own. */
export type Behaviour = Parts | (() => Parts);

interface Subject {
  /** Kebab-case, unique. */
  readonly id: string;
  readonly summary: string;
  /** The parts that are replaced. Called once for each service. */
  readonly behaviour: () => Parts;
}

/** Ids of requirements, at least one. */
export type Requirements = readonly [string, ...string[]];

/** A faulty server: what it does wrong, as a real one would, and the requirements that it breaks. */
export interface Mutant extends Subject {
  /** The suite has to name the first; it may name the others, which cannot be kept without it. */
  readonly breaks: Requirements;
  /** What finds it beyond 60 requests: a drive to the limit, 240, or the thousands of `--fuzz`. */
  readonly needs?: 'exhaust' | 'more' | 'fuzz';
  /** Changes with use: a second run against the same server need not find the same. */
  readonly fades?: true;
  /** Some requests never get a response. */
  readonly hangs?: true;
}

/** A valid variant: unusual behaviour that the interface allows, and that the suite must not fail. */
export interface Variant extends Subject {
  /** The section of the interface that leaves it open, or the standard that allows it. */
  readonly valid: string;
  /** Somebody else uses the service during a run. */
  readonly isShared?: true;
}

/** By id: what the server does, how, and what replaces the arguments of the table for this row. */
type Rows<Marks> = Readonly<
  Record<string, readonly [summary: string, how: Behaviour, own?: string, marks?: Marks]>
>;

type MutantMarks = Pick<Mutant, 'needs' | 'fades' | 'hangs'>;
type VariantMarks = Pick<Variant, 'isShared'>;

/**
 * Mutants from rows. `breaks` has ids separated by spaces, with alternatives in braces:
 * `{listPets,getPet}/auth.missing`.
 */
export function createMutants(
  breaks: string,
  rows: Rows<MutantMarks>,
  marks: MutantMarks = {},
): readonly Mutant[] {
  return Object.entries(rows).map(([id, [summary, how, own = breaks, mark = marks]]) => ({
    id,
    summary,
    breaks: readRequirements(own),
    behaviour: () => take(how),
    ...mark,
  }));
}

/** Valid variants from rows; `valid` says what allows them. */
export function createVariants(
  valid: string,
  rows: Rows<VariantMarks>,
  marks: VariantMarks = {},
): readonly Variant[] {
  return Object.entries(rows).map(([id, [summary, how, own = valid, mark = marks]]) => ({
    id,
    summary,
    valid: own,
    behaviour: () => take(how),
    ...mark,
  }));
}

function take(how: Behaviour): Parts {
  return typeof how === 'function' ? how() : how;
}

function readRequirements(text: string): Requirements {
  const [first = '', ...others] = text.split(' ').flatMap(expand);
  return [first, ...others];
}

function expand(text: string): readonly string[] {
  const [, before = '', choices, after = ''] = /^([^{]*)\{([^}]*)\}(.*)$/.exec(text) ?? [];
  return choices === undefined
    ? [text]
    : choices.split(',').flatMap((choice) => expand(before + choice + after));
}
