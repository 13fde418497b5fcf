/** How much a JSON text holds. */
export interface JsonSize {
  /** Members, items and what holds them: 4 for `{"a":[1,2]}`. */
  readonly values: number;
  /** Arrays and objects one in the other: 2 for `{"a":[1,2]}`. */
  readonly levels: number;
}

const quoteMark = 0x22;
const backslash = 0x5c;
const comma = 0x2c;

/**
 * Counts what a JSON text holds, in one pass and without making any of it. Of a text that begins
 * like no array or object nothing is counted; of one that is no JSON the figures mean nothing.
 */
export function measureJson(text: string): JsonSize {
  if (!/^\uFEFF?\s*[[{]/.test(text)) return { values: 1, levels: 0 };
  let [values, levels, depth] = [1, 0, 0];
  let isFirst = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code <= 0x20) continue;
    // `[` and `]`, `{` and `}` differ from each other in one bit.
    const bracket = code | 0x20;
    if (bracket === 0x7b) {
      if (isFirst) values += 1;
      depth += 1;
      levels = Math.max(levels, depth);
      isFirst = true;
      continue;
    }
    if (bracket === 0x7d) depth -= 1;
    else if (isFirst) values += 1;
    isFirst = false;
    if (code === comma) values += 1;
    else if (code === quoteMark) at = endOfString(text, at);
  }
  return { values, levels };
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  for (; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === backslash) at += 1;
    else if (code === quoteMark) break;
  }
  return at;
}
