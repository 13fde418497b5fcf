import type { JsonValue } from '../json/value.ts';
import type { SchemaView } from './view/schema-view.ts';
import type { Draw } from './scalar/random.ts';

/** Where in a sample a value is made. */
export interface Place {
  /** JSON pointer into the sample. */
  readonly pointer: string;
  /** The member that it is, or whose items it is one of; empty for the whole. */
  readonly name: string;
  /** Values that may still be made in it where they are not required. */
  readonly allowance: number;
  /** Counts the ways of making it that were tried before. */
  readonly variant: number;
  /** The schemas that are being made around it. */
  readonly around: readonly string[];
}

/** A value as it was made. */
export interface Built {
  readonly value: JsonValue;
  /** False where it is known not to fit. */
  readonly isSound: boolean;
}

/** What the making of one sample shares. */
export interface Workshop {
  readonly view: SchemaView;
  readonly direction: 'request' | 'response';
  /** Optional members too, or required ones alone. */
  readonly members: 'all' | 'required';
  readonly wanted: ReadonlyMap<string, JsonValue>;
  /** Undefined: the plainest values. */
  readonly draw: (place: Place) => Draw | undefined;
  /** Whether optional members are made too. */
  readonly isWhole: (place: Place) => boolean;
  /** Undefined where no value can be made, such as for a schema that needs itself. */
  build(pointers: readonly string[], place: Place): Built | undefined;
}
