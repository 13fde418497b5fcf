import { rewritePattern } from './pattern.ts';
import {
  type Change,
  type Place,
  type SyntaxNode,
  change,
  isFunction,
  nodeOf,
  nodesOf,
} from './syntax.ts';

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
function isName(node: SyntaxNode, parent: SyntaxNode | undefined): boolean {
  const isKey =
    parent?.type === 'Property' && parent['key'] === node && parent['computed'] !== true;
  return isKey || parent?.type === 'ExpressionStatement';
}

function changeLiteral(node: SyntaxNode): readonly Change[] {
  return otherLiterals(node).map(([kind, after]) => change(kind, node, after));
}

function otherLiterals({
  value,
  regex,
}: SyntaxNode): readonly (readonly [Change['kind'], string])[] {
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

function changeElements(node: SyntaxNode, text: string): readonly Change[] {
  const elements = nodesOf(node['elements']);
  return elements.map((element) => change('element', withComma(element, text), ''));
}

/** The text of a part of a list with the comma behind it. */
function withComma({ start, end }: SyntaxNode, text: string): { start: number; end: number } {
  const comma = /^\s*,/.exec(text.slice(end))?.[0] ?? '';
  return { start, end: end + comma.length };
}

const removable: ReadonlySet<string> = new Set([
  'ExpressionStatement',
  'IfStatement',
  'ForStatement',
  'ForOfStatement',
  'WhileStatement',
  'ReturnStatement',
  'ThrowStatement',
]);

/** Statements that are not there, and functions that do and return nothing. */
export function changeStatements({ node }: Place): readonly Change[] {
  const body = nodeOf(node['body']);
  const isLong = body?.type !== 'BlockStatement' || nodesOf(body['body']).length > 1;
  const isNothing = body?.['name'] === 'undefined';
  return [
    ...(removable.has(node.type) ? [change('statement', node, ';')] : []),
    ...(isFunction(node) && body && isLong && !isNothing
      ? [change('statement', body, body.type === 'BlockStatement' ? '{}' : 'undefined')]
      : []),
  ];
}
