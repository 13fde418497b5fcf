import { parseAst } from 'vitest/node';

/** What a module's text says about imports and state. */
export interface ModuleSyntax {
  readonly imports: readonly ImportSyntax[];
  /** Names of the module's variables that can change: `let`, `var`, and empty collections. */
  readonly mutable: readonly string[];
}

export interface ImportSyntax {
  /** As written: `./contract.ts`, `node:fs`, `ajv`. */
  readonly from: string;
  /** True for `import type` and `export type ... from`. */
  readonly typeOnly: boolean;
}

/** Reads a module of TypeScript: `import`, `export ... from` and `import()` of a plain string. */
export function parseModule(text: string): ModuleSyntax {
  const body: readonly unknown[] = parseAst(text, { lang: 'ts' }).body;
  return { imports: nodesOf(body).flatMap(importOf), mutable: body.flatMap(mutableOf) };
}

type SyntaxNode = Readonly<Record<string, unknown>>;

const importTypes = new Set([
  'ImportDeclaration',
  'ExportNamedDeclaration',
  'ExportAllDeclaration',
  'ImportExpression',
  'TSImportType',
]);

function importOf(node: SyntaxNode): readonly ImportSyntax[] {
  const source = node['source'] ?? node['argument'];
  if (!importTypes.has(textOf(node['type'])) || !isNode(source)) return [];
  if (typeof source['value'] !== 'string') return [];
  const typeOnly =
    node['type'] === 'TSImportType' ||
    node['importKind'] === 'type' ||
    node['exportKind'] === 'type';
  return [{ from: source['value'], typeOnly }];
}

function mutableOf(statement: unknown): readonly string[] {
  if (!isNode(statement)) return [];
  const declaration = isNode(statement['declaration']) ? statement['declaration'] : statement;
  if (declaration['type'] !== 'VariableDeclaration') return [];
  const variables = nodesIn(declaration['declarations']);
  return variables
    .filter((one) => declaration['kind'] !== 'const' || isToBeFilled(one))
    .map(nameOf);
}

function isToBeFilled(variable: SyntaxNode): boolean {
  return isEmptyCollection(variable['init']) && !isDeclaredReadonly(variable['id']);
}

/** `readonly string[]`, `ReadonlyMap<...>`, `Readonly<...>`: an empty constant. */
function isDeclaredReadonly(variable: unknown): boolean {
  return nodesOf(isNode(variable) ? variable['typeAnnotation'] : undefined).some(
    (node) => node['operator'] === 'readonly' || textOf(node['name']).startsWith('Readonly'),
  );
}

/** `[]`, `{}`, `new Map()` and their like. */
function isEmptyCollection(value: unknown): boolean {
  if (!isNode(value)) return false;
  if (value['type'] === 'NewExpression')
    return isCollectionClass(value['callee']) && isEmpty(value['arguments']);
  return isEmpty(value['type'] === 'ArrayExpression' ? value['elements'] : value['properties']);
}

function isCollectionClass(callee: unknown): boolean {
  const classes = ['Map', 'Set', 'WeakMap', 'WeakSet', 'Array'];
  return isNode(callee) && classes.includes(textOf(callee['name']));
}

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

/** The variable's name; `` where it takes another value apart. */
function nameOf(variable: SyntaxNode): string {
  return isNode(variable['id']) ? textOf(variable['id']['name']) : '';
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function nodesOf(value: unknown): readonly SyntaxNode[] {
  if (Array.isArray(value)) return value.flatMap(nodesOf);
  if (!isNode(value)) return [];
  return [value, ...Object.values(value).flatMap(nodesOf)];
}

function nodesIn(value: unknown): readonly SyntaxNode[] {
  return Array.isArray(value) ? value.filter(isNode) : [];
}

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
