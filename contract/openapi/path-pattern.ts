/** A regular expression that matches only this text; `RegExp.escape` needs Node 24. */
export function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
}

/** The parameter texts of a path, as written there; undefined if the path does not match. */
export type MatchPath = (path: string) => readonly string[] | undefined;

/**
 * The literal text of a path as sent: anything except visible ASCII, such as a space, is percent-encoded as
 * UTF-8 (RFC 3986 section 2.1); the rest is unchanged.
 */
export function encodePathText(text: string): string {
  if (!beyondAscii.test(text)) return text;
  return text.toWellFormed().replace(/[^\x21-\x7e]+/g, encodeURIComponent);
}

const beyondAscii = /[^\x21-\x7e]/;

/**
 * Compiles a path template, which matches paths whether or not their texts are encoded (`encodePathText`).
 * A parameter matches part of one segment, with at least one character or as configured; of several in a
 * segment, the first is as short as possible. Runs in linear time, which a regular expression with two
 * parameters in a segment would not.
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
    // The first occurrence of each text is as good as any later one.
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
 * A path up to the first `?` or `#` outside of braces. OpenAPI has no such paths: if several differ only
 * after that, a request cannot be assigned to one of them.
 */
export function withoutQuery(path: string): string {
  return /^(?:\{[^{}]*\}|[^?#])*/.exec(path)?.[0] ?? path;
}
