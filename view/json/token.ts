/** A piece of a JSON text, as it was written: numbers and escapes keep every character. */
export interface JsonToken {
  readonly kind: 'string' | 'number' | 'word' | 'punctuation';
  readonly text: string;
}

/** The pieces of a JSON text without its white space; undefined where a character belongs to none. */
export function readJsonTokens(text: string): readonly JsonToken[] | undefined {
  const tokens: JsonToken[] = [];
  const pattern = new RegExp(piece);
  while (pattern.lastIndex < text.length) {
    const found = pattern.exec(text);
    if (found === null) return undefined;
    const [, punctuation, string, number, word] = found;
    if (punctuation !== undefined) tokens.push({ kind: 'punctuation', text: punctuation });
    else if (string !== undefined) tokens.push({ kind: 'string', text: string });
    else if (number !== undefined) tokens.push({ kind: 'number', text: number });
    else if (word !== undefined) tokens.push({ kind: 'word', text: word });
  }
  return tokens;
}

/** White space, or one token of RFC 8259, from where the last one ended. */
const piece =
  // oxlint-disable-next-line no-control-regex
  /[ \t\n\r]+|([{}[\],:])|("(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*")|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)|(true|false|null)/y;
