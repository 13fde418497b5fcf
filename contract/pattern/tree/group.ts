import type { PatternNode } from './syntax.ts';

/** The parts of a sequence, those of groups within it included. */
export function flatten(node: PatternNode): readonly PatternNode[] {
  const inner = withoutGroup(node);
  return inner.kind === 'sequence' ? inner.nodes.flatMap(flatten) : [inner];
}

/** What is in a group, and in one within. */
export function withoutGroup(node: PatternNode): PatternNode {
  if (node.kind === 'group') return withoutGroup(node.node);
  const [only, ...others] = node.kind === 'sequence' ? node.nodes : [];
  return only !== undefined && others.length === 0 ? withoutGroup(only) : node;
}

/** Whether a pattern needs nothing of what follows, nor of what was found before. */
export function isRegular(node: PatternNode): boolean {
  if (node.kind === 'backreference' || (node.kind === 'look' && !node.isBehind)) return false;
  if ('nodes' in node) return node.nodes.every(isRegular);
  return !('node' in node) || isRegular(node.node);
}

/** As it is matched from right to left. */
export function reverse(node: PatternNode): PatternNode {
  switch (node.kind) {
    case 'sequence':
      return { kind: 'sequence', nodes: node.nodes.map(reverse).toReversed() };
    case 'choice':
      return { kind: 'choice', nodes: node.nodes.map(reverse) };
    case 'repeat':
    case 'group':
      return { ...node, node: reverse(node.node) };
    case 'look':
    case 'character':
    case 'assertion':
    case 'backreference':
      return node;
  }
}
