import type { SourceText } from '../diagnostic/origin.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';

/** Members and indexes from the root of a document to a value of it. */
export type Location = readonly (string | number)[];

/** An OpenAPI Overlay: changes of another document, in their order. */
export interface Overlay {
  readonly text: string;
  readonly source: SourceText;
  readonly actions: readonly OverlayAction[];
}

export interface OverlayAction {
  /** Where it stands in the overlay: `#/actions/0`. */
  readonly pointer: string;
  /** What its target selects. */
  readonly find: (document: JsonObject) => readonly Location[];
  readonly change: 'remove' | { readonly update: JsonValue | undefined };
}
