import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { parseAst } from 'rolldown/parseAst';
import type { Contract } from '../contract/contract.ts';
import type { createService, Respond } from './service/service.ts';
import { readTrial, startService } from './trial.ts';

/** A generated change of a module: the text from `start` to `end` becomes `after`. */
export interface Mutation {
  /** Its position and change: `7:31: a < b → true`. */
  readonly name: string;
  readonly start: number;
  readonly end: number;
  readonly after: string;
}

type Changes = Generator<Omit<Mutation, 'name'>>;

/** A node of the syntax tree (ESTree): `type`, and members by its type. */
interface SyntaxNode extends Readonly<Record<string, unknown>> {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

/** All mutations of a JavaScript module, in the order of its text. */
export function listMutations(text: string): readonly Mutation[] {
  const { body }: { readonly body: readonly unknown[] } = parseAst(text);
  const changes = [...walk(nodesOf(body), undefined, text)].toSorted(
    (one, other) => one.start - other.start || one.end - other.end,
  );
  const distinct = new Map(changes.map((each) => [Object.values(each).join(' '), each]));
  return [...distinct.values()].map(({ start, end, after }) => {
    const lines = text.slice(0, start).split('\n');
    const place = `${lines.length}:${(lines.at(-1)?.length ?? 0) + 1}`;
    const name = `${place}: ${shorten(text.slice(start, end))} → ${shorten(after)}`;
    return { name, start, end, after };
  });
}

/** The text of a module with a mutation. */
export function applyMutation(
  text: string,
  { start, end, after }: Pick<Mutation, 'start' | 'end' | 'after'>,
): string {
  return text.slice(0, start) + after + text.slice(end);
}

function* walk(
  nodes: readonly SyntaxNode[],
  parent: SyntaxNode | undefined,
  text: string,
): Changes {
  for (const node of nodes) {
    if (node.type.startsWith('Import')) continue;
    yield* changeNode(node, parent, text);
    yield* walk(Object.values(node).flatMap(nodesOf), node, text);
  }
}

/** Replacements of operators. */
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

/** Other operators, constants and conditions; omitted statements, functions and parts of lists. */
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
  // `a ?? b && c` is not a valid expression, so the whole and its parts are parenthesised.
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
    if (inner.type !== 'BlockStatement')
      yield { start: inner.start, end: inner.end, after: 'undefined' };
    else if (nodesOf(inner['body']).length > 1)
      yield { start: inner.start, end: inner.end, after: '{}' };
}

/** The nodes in a member of a node: one, several or none. */
function nodesOf(value: unknown): readonly SyntaxNode[] {
  return Array.isArray(value) ? value.filter(isNode) : isNode(value) ? [value] : [];
}

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
}

/** The beginning of a text, in one line. */
function shorten(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim().slice(0, 100) || 'nothing';
}

const source = stripTypeScriptTypes(
  readFileSync(new URL('service/service.ts', import.meta.url), 'utf8'),
);

/** Every mutation of the service. */
export const serviceMutations: readonly Mutation[] = listMutations(source);

/** The runs that must not notice a mutant; the third begins just before a minute ends. */
const runs = [
  {},
  { exhaust: true },
  { exhaust: true, startsAt: Date.UTC(2026, 0, 5, 12) + 59_200 },
  { requests: 240 },
];

/** Whether the suite notices a mutant; undefined if its module cannot be loaded. */
export async function noticesMutation(
  contract: Contract,
  mutation: Mutation,
  seed: number,
): Promise<boolean | undefined> {
  const code = Buffer.from(applyMutation(source, mutation)).toString('base64');
  let create: typeof createService;
  try {
    const mutated: { readonly createService: typeof createService } = await import(
      `data:text/javascript;base64,${code}`
    );
    create = (...settings) => guard(mutated.createService(...settings));
    create();
  } catch {
    return undefined;
  }
  for (const options of runs) {
    const trial = { seed, requests: 60, latency: 17, ...options };
    const { judge } = await startService(contract, (clock) => create({}, clock), trial);
    const { named, broken } = await readTrial(contract, judge());
    if (broken !== undefined || named.length > 0) return true;
  }
  return false;
}

/** A service that resets the connection when a Node server would crash. */
function guard(respond: Respond): Respond {
  return async (request) => {
    const response = await respond(request).catch(() => undefined);
    const isWritten = response?.bytes instanceof Uint8Array && response.delivery === 'whole';
    return isWritten
      ? response
      : { status: 500, headers: {}, bytes: Buffer.of(), delivery: 'reset' };
  };
}
