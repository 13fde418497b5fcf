import { type Change, change } from './change.ts';
import { rewritePattern } from './pattern.ts';
import { type Place, nodeOf, nodesOf } from './syntax.ts';

/** Other constants, other patterns, defaults left out, and lists and objects that lack a part. */
export function changeValues({ node, around }: Place, text: string): readonly Change[] {
  switch (node.type) {
    case 'Literal':
      return isName(node, around[0]) ? [] : changeLiteral(node);
    case 'TemplateLiteral':
      return [change('constant', node, '``')];
    case 'ArrayExpression':
      return changeElements(node, text);
    case 'ObjectExpression':
      return nodesOf(node['properties']).map((property) =>
        change('property', withComma(property, text), ''),
      );
    case 'AssignmentPattern': {
      const left = nodeOf(node['left']);
      return left ? [change('default', { start: left.end, end: node.end }, '')] : [];
    }
    default:
      return [];
  }
}

/** Names a member, or stands where a statement would: no value of the program. */
function isName(node: Place['node'], parent: Place['node'] | undefined): boolean {
  const isKey =
    parent?.type === 'Property' && parent['key'] === node && parent['computed'] !== true;
  return isKey || parent?.type === 'ExpressionStatement';
}

function changeLiteral(node: Place['node']): readonly Change[] {
  return otherLiterals(node).map(([kind, after]) => change(kind, node, after));
}

function otherLiterals({
  value,
  regex,
}: Place['node']): readonly (readonly [Change['kind'], string])[] {
  if (typeof value === 'boolean') return [['constant', String(!value)]];
  if (typeof value === 'string') return [['constant', value === '' ? "'mutant'" : "''"]];
  if (typeof value === 'number')
    return [value + 1, value - 1].map((other) => ['constant', `(${other})`]);
  if (typeof value === 'bigint')
    return [value + 1n, value - 1n].map((other) => ['constant', `(${other}n)`]);
  return isPattern(regex)
    ? rewritePattern(regex.pattern, regex.flags).map((other) => ['pattern', other])
    : [];
}

function isPattern(value: unknown): value is { readonly pattern: string; readonly flags: string } {
  return typeof value === 'object' && value !== null && 'pattern' in value && 'flags' in value;
}

function changeElements(node: Place['node'], text: string): readonly Change[] {
  const elements = nodesOf(node['elements']);
  return elements.map((element) => change('element', withComma(element, text), ''));
}

/** The text of a part of a list with the comma behind it. */
function withComma({ start, end }: Place['node'], text: string): { start: number; end: number } {
  const comma = /^\s*,/.exec(text.slice(end))?.[0] ?? '';
  return { start, end: end + comma.length };
}
