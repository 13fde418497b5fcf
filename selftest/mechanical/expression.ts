import { type Change, change } from './change.ts';
import { type Place, type SyntaxNode, nodeOf, nodesOf } from './syntax.ts';

/** Other operators, conditions that always or never hold, and calls of other functions or of none. */
export function changeExpressions({ node, around }: Place, text: string): readonly Change[] {
  return [
    ...(isCondition(node, around[0])
      ? ['true', 'false'].map((after) => change('condition', node, after))
      : []),
    ...changeOperator(node, text),
    ...(node.type === 'CallExpression' ? changeCall(node, text) : []),
  ];
}

const comparisons: ReadonlySet<unknown> = new Set(['===', '!==', '<', '<=', '>', '>=', 'in']);

function isCondition(node: SyntaxNode, parent: SyntaxNode | undefined): boolean {
  const { type, operator } = node;
  const isTest = parent?.['test'] === node;
  const isJoined = parent?.type === 'LogicalExpression' && parent['operator'] !== '??';
  return (
    isTest ||
    isJoined ||
    (type === 'BinaryExpression' && comparisons.has(operator)) ||
    (type === 'LogicalExpression' && operator !== '??') ||
    (type === 'UnaryExpression' && operator === '!')
  );
}

/** Operators in place of others: a boundary that is moved comes first. */
const operators: Readonly<Record<string, readonly string[]>> = {
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '===': ['!=='],
  '!==': ['==='],
  '+': ['-'],
  '-': ['+'],
  '*': ['/'],
  '/': ['*'],
  '%': ['*'],
  '**': ['*'],
  '>>>': ['<<'],
  '&&': ['||'],
  '||': ['&&'],
  '??': ['&&'],
  '+=': ['-='],
  '-=': ['+='],
  '||=': ['&&='],
  '??=': ['&&='],
};

function changeOperator(node: SyntaxNode, text: string): readonly Change[] {
  const { operator } = node;
  const argument = nodeOf(node['argument']);
  if (node.type === 'UnaryExpression' && argument && (operator === '!' || operator === '-'))
    return [change('operator', node, `(${textOf(argument, text)})`)];
  const [left, right] = [nodeOf(node['left']), nodeOf(node['right'])];
  if (typeof operator !== 'string' || !left || !right) return [];
  const others = operators[operator] ?? [];
  // `a ?? b && c` is no expression: a joined one is put in parentheses with its parts.
  if (node.type === 'LogicalExpression')
    return others.map((other) =>
      change('operator', node, `((${textOf(left, text)}) ${other} (${textOf(right, text)}))`),
    );
  const start = text.indexOf(operator, left.end);
  const isCompared = ['<', '<=', '>', '>='].includes(operator);
  return others.map((after, index) =>
    change(
      isCompared && index === 0 ? 'boundary' : 'operator',
      { start, end: start + operator.length },
      after,
    ),
  );
}

/** Functions in place of others. */
const functions: ReadonlyMap<string, string> = new Map([
  ['every', 'some'],
  ['some', 'every'],
  ['min', 'max'],
  ['max', 'min'],
  ['floor', 'ceil'],
  ['ceil', 'floor'],
  ['keys', 'values'],
  ['find', 'findLast'],
]);

/** Methods whose call may be left out, so that what they are called on stands for the result. */
const dropped =
  /^(filter|slice|toSorted|toReversed|trim|trimStart|trimEnd|toLowerCase|replace|concat|padStart)$/;

function changeCall(node: SyntaxNode, text: string): readonly Change[] {
  const callee = nodeOf(node['callee']);
  const name = nodeOf(callee?.['property']);
  const owner = nodeOf(callee?.['object']);
  if (!name || !owner) return [];
  const method = textOf(name, text);
  const other = functions.get(method);
  const isNumeric = textOf(owner, text) === 'Math';
  return [
    ...(other === undefined ? [] : [change('call', name, other)]),
    ...(dropped.test(method) ? [change('call', node, textOf(owner, text))] : []),
    ...(isNumeric
      ? nodesOf(node['arguments']).map((argument) => change('call', node, textOf(argument, text)))
      : []),
  ];
}

function textOf({ start, end }: SyntaxNode, text: string): string {
  return text.slice(start, end);
}
