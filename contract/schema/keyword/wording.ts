import { renderJson, type JsonValue } from '../../json/value.ts';
import type { Flaw } from './judging.ts';

/** `1 item`, `2 items`. */
export function renderCount(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** A JSON value, cut if it is long. */
export function renderShort(value: JsonValue): string {
  return cut(renderJson(typeof value === 'string' ? value.slice(0, longest + 1) : value));
}

/** Most reasons in one message why alternatives do not match, and their characters. */
export const namedReasons = 3;
const longestReasons = 240;

/**
 * `3 alternatives (must be a string; /name is required)`. `refused`: why they do not match. `at`: the value
 * that they are about.
 */
export function renderAlternatives(count: number, refused: readonly Flaw[], at: string): string {
  const alternatives = renderCount(count, 'alternative');
  if (refused.length === 0) return alternatives;
  const reasons = new Set<string>();
  for (const flaw of refused.slice(0, namedReasons)) {
    reasons.add(`${flaw.at.slice(at.length)} ${flaw.message}`.trimStart());
    // A flaw may have many reasons of its own: what is cut off is not rendered.
    if ([...reasons].join('; ').length > longestReasons) break;
  }
  const more = refused.length > namedReasons ? '; ...' : '';
  return `${alternatives} (${cut([...reasons].join('; '), longestReasons)}${more})`;
}

const longest = 60;

/** Well formed even if the cut is within a surrogate pair. */
export function cut(text: string, length = longest): string {
  return text.length > length ? `${text.slice(0, length).toWellFormed()}...` : text;
}
