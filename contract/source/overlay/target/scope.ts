import { documentLimits } from '../../../limits/index.ts';
import type { JsonValue } from '../../../json/value.ts';
import type { Pattern } from '../../../pattern/pattern.ts';

/** A value of a document on the way to which a query is. */
export interface PathNode {
  readonly value: JsonValue;
  /** Undefined for the document. */
  readonly holder: readonly JsonValue[] | object | undefined;
  /** Its name or index in what holds it. */
  readonly name: string | number;
  /** How many hold it, one in the other. */
  readonly depth: number;
}

/** What a query is evaluated in. */
export interface Scope {
  readonly root: JsonValue;
  /** Throws a TooManyStepsError where no more steps are left. */
  readonly spend: (steps: number) => void;
  /** The patterns that were compiled, by their sources; undefined is one that is none. */
  readonly patterns: Map<string, Pattern | undefined>;
}

/** All targets together took more than `documentLimits.overlaySteps`. */
export class TooManyStepsError extends Error {}

/** Counts the steps of all actions on one document. */
export function createSpender(): Scope['spend'] {
  let left: number = documentLimits.overlaySteps.most;
  return (steps) => {
    left -= steps;
    if (left < 0) throw new TooManyStepsError();
  };
}

/** Is given each value that is selected; true ends the evaluation. */
export type Visit = (node: PathNode) => boolean;

/** Evaluates a part of a query from a value on. True where a visit ended it. */
export type Walk = (node: PathNode, scope: Scope, visit: Visit) => boolean;

export function rootNode(value: JsonValue): PathNode {
  return { value, holder: undefined, name: '', depth: 0 };
}

export function childNode(
  node: PathNode,
  holder: readonly JsonValue[] | object,
  name: string | number,
  value: JsonValue,
): PathNode {
  return { value, holder, name, depth: node.depth + 1 };
}
