import { type Change, change } from './change.ts';
import { type Place, isFunction, nodeOf, nodesOf } from './syntax.ts';

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
