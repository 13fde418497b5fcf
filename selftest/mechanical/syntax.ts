import { parseAst } from 'rolldown/parseAst';

/** What is changed at a place: the text from `start` to `end` becomes `after`. */
export interface Change {
  readonly kind: Kind;
  readonly start: number;
  readonly end: number;
  readonly after: string;
}

export type Kind =
  | 'boundary'
  | 'call'
  | 'condition'
  | 'constant'
  | 'default'
  | 'element'
  | 'operator'
  | 'pattern'
  | 'property'
  | 'statement';

export function change(
  kind: Kind,
  { start, end }: { readonly start: number; readonly end: number },
  after: string,
): Change {
  return { kind, start, end, after };
}

/** A node of the syntax tree (ESTree): `type`, and members by its type. */
export interface SyntaxNode extends Readonly<Record<string, unknown>> {
  readonly type: string;
  /** Where its text begins and ends in the module. */
  readonly start: number;
  readonly end: number;
}

/** A node with the nodes around it, the nearest first. */
export interface Place {
  readonly node: SyntaxNode;
  readonly around: readonly SyntaxNode[];
}

/** Every node of a module of TypeScript that does something: no types, no imports. */
export function listPlaces(text: string): readonly Place[] {
  const { body }: { readonly body: readonly unknown[] } = parseAst(text, { lang: 'ts' });
  return nodesOf(body).flatMap((node) => placesFrom(node, []));
}

function placesFrom(node: SyntaxNode, around: readonly SyntaxNode[]): readonly Place[] {
  if (node.type.startsWith('Import')) return [];
  const inner = placesWithin(node, [node, ...around]);
  // A type beside a value: `value as Type`, `value satisfies Type`.
  if (node.type.startsWith('TS')) return node['expression'] === undefined ? [] : inner;
  return [{ node, around }, ...inner];
}

function placesWithin(node: SyntaxNode, around: readonly SyntaxNode[]): readonly Place[] {
  return Object.values(node)
    .flatMap(nodesOf)
    .flatMap((child) => placesFrom(child, around));
}

/** The nodes that a member of a node holds: one, several, or none. */
export function nodesOf(value: unknown): readonly SyntaxNode[] {
  return Array.isArray(value) ? value.filter(isNode) : isNode(value) ? [value] : [];
}

/** The first node that a member of a node holds. */
export function nodeOf(value: unknown): SyntaxNode | undefined {
  return nodesOf(value)[0];
}

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
}

export function isFunction(node: SyntaxNode | undefined): boolean {
  return node !== undefined && /^(Arrow)?Function(Expression|Declaration)$/.test(node.type);
}
