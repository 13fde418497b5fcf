import { parseAst } from 'rolldown/parseAst';

/** One change of one module that a machine made: the text from `start` to `end` becomes `after`. */
export interface Mutation {
  /** Where it is and what becomes of what: `limiter.ts:7:31: a < b → true`. */
  readonly name: string;
  readonly file: string;
  readonly start: number;
  readonly end: number;
  readonly after: string;
}

type Changes = Generator<Pick<Mutation, 'start' | 'end' | 'after'>>;

/** A node of the syntax tree (ESTree): `type`, and members by its type. */
interface SyntaxNode extends Readonly<Record<string, unknown>> {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

/** Every mutation of a module of TypeScript, in the order of its text: none of types and imports. */
export function listMutations(file: string, text: string): readonly Mutation[] {
  const { body }: { readonly body: readonly unknown[] } = parseAst(text, { lang: 'ts' });
  const changes = [...walk(nodesOf(body), undefined, text)].toSorted(
    (one, other) => one.start - other.start || one.end - other.end,
  );
  const distinct = new Map(
    changes.map((each) => [`${each.start} ${each.end} ${each.after}`, each]),
  );
  return [...distinct.values()].map((change) => {
    const { start, end, after } = change;
    const lines = text.slice(0, start).split('\n');
    const place = `${file}:${lines.length}:${(lines.at(-1)?.length ?? 0) + 1}`;
    return {
      ...change,
      file,
      name: `${place}: ${shorten(text.slice(start, end))} → ${shorten(after)}`,
    };
  });
}

/** The text of a module with a mutation. */
export function applyMutation(text: string, { start, end, after }: Mutation): string {
  return text.slice(0, start) + after + text.slice(end);
}

function* walk(
  nodes: readonly SyntaxNode[],
  parent: SyntaxNode | undefined,
  text: string,
): Changes {
  for (const node of nodes) {
    if (node.type.startsWith('Import')) continue;
    // A type beside a value: `value as Type`, `value satisfies Type`.
    const isType = node.type.startsWith('TS');
    if (isType && node['expression'] === undefined) continue;
    if (!isType) yield* changeNode(node, parent, text);
    yield* walk(Object.values(node).flatMap(nodesOf), node, text);
  }
}

/** Operators in place of others. */
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
  '&&': ['||'],
  '||': ['&&'],
  '??': ['&&'],
  '+=': ['-='],
  '-=': ['+='],
};

const comparisons = new Set<unknown>(['===', '!==', '<', '<=', '>', '>=', 'in', '!']);

const removable = /^(Expression|If|For|ForOf|While|Return|Throw)Statement$/;

/** Other operators, constants and conditions; statements, functions and parts of lists left out. */
function* changeNode(node: SyntaxNode, parent: SyntaxNode | undefined, text: string): Changes {
  const { type, operator, value } = node;
  const replace = (after: string) => ({ start: node.start, end: node.end, after });
  const source = (member: string): string =>
    nodesOf(node[member]).map(({ start, end }) => text.slice(start, end))[0] ?? '';
  const isJoined = parent?.type === 'LogicalExpression' && parent['operator'] !== '??';
  if (parent?.['test'] === node || isJoined || comparisons.has(operator)) {
    yield replace('true');
    yield replace('false');
  }
  // `a ?? b && c` is not an expression: the whole is in parentheses, and so are its parts.
  for (const other of operators[String(operator)] ?? [])
    if (node['left'] !== undefined)
      yield replace(`((${source('left')}) ${other} (${source('right')}))`);
  if (type === 'UnaryExpression' && (operator === '!' || operator === '-'))
    yield replace(`(${source('argument')})`);
  const isName =
    parent?.type === 'ExpressionStatement' ||
    (parent?.type === 'Property' && parent['key'] === node && parent['computed'] !== true);
  if (type === 'Literal' && !isName) {
    if (typeof value === 'boolean') yield replace(String(!value));
    if (typeof value === 'string') yield replace(value === '' ? "'mutant'" : "''");
    if (typeof value === 'number') for (const by of [1, -1]) yield replace(`(${value + by})`);
    if (typeof value === 'bigint') for (const by of [1n, -1n]) yield replace(`(${value + by}n)`);
  }
  if (type === 'ArrayExpression' || type === 'ObjectExpression')
    for (const { start, end } of nodesOf(node['elements'] ?? node['properties']))
      yield { start, end: end + (/^\s*,/.exec(text.slice(end))?.[0].length ?? 0), after: '' };
  if (removable.test(type)) yield replace(';');
  const [inner] = nodesOf(node['body']);
  if (/^(Arrow)?Function(Expression|Declaration)$/.test(type) && inner)
    if (inner.type !== 'BlockStatement') yield { ...inner, after: 'undefined' };
    else if (nodesOf(inner['body']).length > 1) yield { ...inner, after: '{}' };
}

/** The nodes that a member of a node holds: one, several, or none. */
function nodesOf(value: unknown): readonly SyntaxNode[] {
  return Array.isArray(value) ? value.filter(isNode) : isNode(value) ? [value] : [];
}

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
}

/** The beginning of a text in one line. */
function shorten(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  if (line === '') return 'nothing';
  return line.length <= 100 ? line : `${line.slice(0, 100)}…`;
}
