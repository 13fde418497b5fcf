import { renderFragment } from '../../json/pointer.ts';

/** Where a value stands in a document that is being changed. */
export interface Place {
  readonly parent: Place | undefined;
  readonly token: string | number;
}

/** `#/paths/~1pets`. */
export function pointerOf(place: Place | undefined): string {
  const tokens: (string | number)[] = [];
  for (let at = place; at !== undefined; at = at.parent) tokens.push(at.token);
  return renderFragment(tokens.toReversed());
}

export function placeOf(tokens: readonly (string | number)[]): Place | undefined {
  let place: Place | undefined;
  for (const token of tokens) place = { parent: place, token };
  return place;
}
