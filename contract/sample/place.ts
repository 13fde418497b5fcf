import type { JsonValue } from '../json/value.ts';
import type { SampleBudget, SchemaView } from './schema-view.ts';
import type { Draw } from './random.ts';

/** Where in a sample a value is made. */
export interface Place {
  /** JSON pointer into the sample. */
  readonly pointer: string;
  /** The member that it is, or whose items it is one of; empty for the whole. */
  readonly name: string;
  /** It is a further item of a list, or within one: values differ from those of the first. */
  readonly isRepeated: boolean;
  /** Values that may still be made in it where they are not required. */
  readonly allowance: number;
  /** Counts the ways of making it: with optional members and without, then drawn again. */
  readonly way: number;
  /** The schemas that are being made around it. */
  readonly around: readonly string[];
}

/** A value as it was made. */
export interface Built {
  readonly value: JsonValue;
  /** False where it is known not to fit. */
  readonly isSound: boolean;
}

/** What objects and lists have their members made by. */
export interface SampleMaker {
  readonly view: SchemaView;
  readonly budget: SampleBudget;
  /** Optional members too, or required ones alone. */
  readonly members: 'all' | 'required';
  /** Values that members at the top have by their name, where they fit. */
  readonly wanted: ReadonlyMap<string, JsonValue>;
  /** Undefined: the plainest values. */
  draw(place: Place): Draw | undefined;
  /** Whether optional members are made too. */
  isWhole(place: Place): boolean;
  /** Undefined where no value can be made, such as for a schema that needs itself. */
  build(pointers: readonly string[], place: Place): Built | undefined;
}
