/**
 * What a module imports, as written: `./contract.ts`, `node:fs`, `ajv`. The text is formatted, so
 * its lines show it: `import ... from`, `export ... from`, `import()`.
 */
export function importsOf(text: string): readonly string[] {
  const imports = text.matchAll(
    /(?:^import |^(?:import|export|\}) .*from |\bimport\()'([^'\n]+)'/gm,
  );
  return [...imports].map(([, from = '']) => from);
}

/** Names of a module's variables that can change: `let`, `var`, and collections that start empty. */
export function stateOf(text: string): readonly string[] {
  const empty = String.raw`(?:\[\]|\{\}|new (?:Array|(?:Weak)?(?:Map|Set))(?:<.*>)?\(\));$`;
  const state = new RegExp(
    String.raw`^(?:export )?(?:(?:let|var) (\w+)|const (\w+)(?:: (?!readonly|Readonly).*)? =\s+${empty})`,
    'gm',
  );
  return [...text.matchAll(state)].map(([, variable, constant]) => variable ?? constant ?? '');
}
