/** What one limit is counted in. */
export type LimitUnit =
  | 'bytes'
  | 'characters'
  | 'milliseconds'
  | 'requests'
  | 'items'
  | 'members'
  | 'levels'
  | 'steps'
  | 'percent'
  | 'days'
  | 'count';

/**
 * A bound on what a foreign document, target, client or certificate may cost. What is within it is
 * taken, what is over it is refused, and both are tested.
 */
export interface Limit {
  /** The most that is taken. */
  readonly most: number;
  readonly unit: LimitUnit;
  /** What is bounded, as the subject of a sentence: "A response, as it comes over the wire". */
  readonly what: string;
  /** What happens beyond it, as a sentence; docs/limits.md shows the limits that have one. */
  readonly over?: string;
  /** The flag that sets another, with its dashes; absent where there is none. */
  readonly flag?: string;
}
