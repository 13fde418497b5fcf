/** A piece of a JSON text, as it was written: numbers and escapes keep every character. */
export interface JsonToken {
  /** `fault`: the rest of a text, from a character on that begins no token. */
  readonly kind: 'string' | 'number' | 'word' | 'punctuation' | 'fault';
  readonly text: string;
  /** Where it begins. */
  readonly start: number;
}

/** The pieces of a JSON text without its white space. */
export function readJsonTokens(text: string): readonly JsonToken[] {
  const tokens: JsonToken[] = [];
  const pattern = new RegExp(piece);
  while (pattern.lastIndex < text.length) {
    const start = pattern.lastIndex;
    const found = pattern.exec(text);
    if (found === null) return [...tokens, { kind: 'fault', text: text.slice(start), start }];
    const [, punctuation, string, number, word] = found;
    if (punctuation !== undefined) tokens.push({ kind: 'punctuation', text: punctuation, start });
    else if (string !== undefined) tokens.push({ kind: 'string', text: string, start });
    else if (number !== undefined) tokens.push({ kind: 'number', text: number, start });
    else if (word !== undefined) tokens.push({ kind: 'word', text: word, start });
  }
  return tokens;
}

/** White space, or one token of RFC 8259, from where the last one ended. */
const piece =
  // oxlint-disable-next-line no-control-regex
  /[ \t\n\r]+|([{}[\],:])|("(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*")|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)|(true|false|null)/y;
