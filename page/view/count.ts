import { type Constant, type VisibleText, reshape, show } from './visible.ts';

/** A number of things in words: `1 request`, `2 requests`. */
export function countOf<const Noun extends string>(
  number: number,
  noun: Constant<Noun>,
): VisibleText {
  return reshape(show`${number} `, (text) => `${text}${noun}${number === 1 ? '' : 's'}`);
}
