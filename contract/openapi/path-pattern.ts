/** A text as a regular expression that matches it alone; `RegExp.escape` needs Node 24. */
export function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
}

/** The texts of a template's parameters in a path, as written there; undefined for another path. */
export type MatchPath = (path: string) => readonly string[] | undefined;

/**
 * A literal text of a path as written in a request: what is not a visible ASCII character, such as a
 * space, percent-encoded as UTF-8 (RFC 3986 section 2.1); all else is left.
 */
export function encodePathText(text: string): string {
  if (!beyondAscii.test(text)) return text;
  return text.toWellFormed().replace(/[^\x21-\x7e]+/g, encodeURIComponent);
}

const beyondAscii = /[^\x21-\x7e]/;

/**
 * Compiles a path template, which matches paths with its texts encoded (`encodePathText`) or not. A parameter stands for a part of one segment, of one character at least
 * or as few as are said; where several are in one segment, the first is as short as may be. Takes
 * time in proportion to the path, whatever the template: an expression with two parameters in a
 * segment would not.
 */
export function compilePathMatch(template: string, least: 0 | 1 = 1): MatchPath {
  const [start = '', ...texts] = template.split(/\{[^{}]*\}/).map(encodePathText);
  const end = texts.pop();
  if (end === undefined) return (path) => (encodePathText(path) === start ? [] : undefined);
  return (given) => {
    const path = encodePathText(given);
    if (!path.startsWith(start) || !path.endsWith(end)) return undefined;
    const values: string[] = [];
    let at = start.length;
    // The first place of each text is as good as any later one.
    for (const text of texts) {
      const found = path.indexOf(text, at + least);
      if (found < 0) return undefined;
      values.push(path.slice(at, found));
      at = found + text.length;
    }
    const last = path.length - end.length;
    if (last < at + least) return undefined;
    values.push(path.slice(at, last));
    return values.some((value) => value.includes('/')) ? undefined : values;
  };
}

/**
 * A path before the first `?` or `#` that is in no braces. OpenAPI has no such paths: where several
 * differ only in what follows there, a request cannot be assigned to one of them.
 */
export function withoutQuery(path: string): string {
  return /^(?:\{[^{}]*\}|[^?#])*/.exec(path)?.[0] ?? path;
}
