import type { SourceText } from '../origin.ts';
import type { JsonValue } from '../../json/value.ts';
import type { Walk } from './target/scope.ts';

/** An OpenAPI Overlay: changes of another document, in their order. */
export interface Overlay {
  readonly text: string;
  readonly source: SourceText;
  readonly actions: readonly OverlayAction[];
}

export interface OverlayAction {
  /** Where it stands in the overlay: `#/actions/0`. */
  readonly pointer: string;
  /** Visits what its target selects. */
  readonly find: Walk;
  readonly change: 'remove' | { readonly update: JsonValue | undefined };
}
