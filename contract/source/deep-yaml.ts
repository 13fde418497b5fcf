/**
 * Where a YAML text is first nested in more lists and objects than a number, in characters from its
 * start; undefined where it never is. Reads tokens up to there, and takes no call for each level.
 */
export async function findDeepYaml(text: string, most: number): Promise<number | undefined> {
  const { Lexer, Parser } = await import('yaml');
  const parser = new Parser();
  for (const lexeme of new Lexer().lex(text)) {
    const start = parser.offset;
    // A whole document that is not too deep is of no use here.
    parser.next(lexeme).toArray();
    const { stack } = parser;
    if (stack.length > most && stack.filter((token) => 'items' in token).length > most)
      return start;
  }
  return undefined;
}
