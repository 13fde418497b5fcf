import { flatten, withoutGroup } from '../tree/group.ts';
import type { PatternNode } from '../tree/syntax.ts';

/** What a text has to match, with lookaheads at the start of a pattern as patterns of their own. */
export type Formula =
  | { readonly kind: 'pattern'; readonly tree: PatternNode }
  | { readonly kind: 'not'; readonly formula: Formula }
  | { readonly kind: 'every' | 'some'; readonly formulas: readonly Formula[] };

const start: PatternNode = { kind: 'assertion', source: '^' };

/**
 * `^(?=.*\d)(?!.*x)[a-z\d]+$` matches what `^.*\d` and `^[a-z\d]+$` match and `^.*x` does not. A
 * choice of the whole matches what one of its patterns does.
 */
export function readFormula(tree: PatternNode): Formula {
  const node = withoutGroup(tree);
  if (node.kind === 'choice') return { kind: 'some', formulas: node.nodes.map(readFormula) };
  const [first, ...rest] = flatten(node);
  if (first?.kind !== 'assertion' || first.source !== '^') return { kind: 'pattern', tree };
  const count = rest.findIndex((one) => !isHead(one));
  const looks = rest.slice(0, count === -1 ? rest.length : count);
  const others = count === -1 ? [] : rest.slice(count);
  const formulas = looks.flatMap((look): readonly Formula[] => {
    if (look.kind !== 'look') return [];
    const inner = readFormula({ kind: 'sequence', nodes: [start, look.node] });
    return [look.isNegated ? { kind: 'not', formula: inner } : inner];
  });
  const pattern: Formula = {
    kind: 'pattern',
    tree: { kind: 'sequence', nodes: [start, ...others] },
  };
  return formulas.length === 0 ? pattern : { kind: 'every', formulas: [...formulas, pattern] };
}

/** What may stand among the lookaheads of a start. */
function isHead(node: PatternNode): boolean {
  return (
    (node.kind === 'look' && !node.isBehind) || (node.kind === 'assertion' && node.source === '^')
  );
}
