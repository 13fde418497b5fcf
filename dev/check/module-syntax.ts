import { parseAst } from 'vitest/node';

/** What a module's text says about imports and state. */
export interface ModuleSyntax {
  /** As written: `./contract.ts`, `node:fs`, `ajv`. */
  readonly imports: readonly string[];
  /** Names of the module's variables that can change: `let`, `var`, and empty collections. */
  readonly mutable: readonly string[];
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

function importOf(node: SyntaxNode): readonly string[] {
  const source = node['source'] ?? node['argument'];
  if (!importTypes.has(textOf(node['type'])) || !isNode(source)) return [];
  return typeof source['value'] === 'string' ? [source['value']] : [];
}

function mutableOf(statement: unknown): readonly string[] {
  if (!isNode(statement)) return [];
  const declaration = isNode(statement['declaration']) ? statement['declaration'] : statement;
  if (declaration['type'] !== 'VariableDeclaration') return [];
  const variables = Object.values(Object(declaration['declarations'])).filter(isNode);
  return variables
    .filter(
      ({ init, id }) =>
        declaration['kind'] !== 'const' || (isEmptyCollection(init) && !isDeclaredReadonly(id)),
    )
    .map(({ id }) => (isNode(id) ? textOf(id['name']) : ''));
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
  const { type, callee } = value;
  if (type === 'NewExpression')
    return isNode(callee) && classes.has(textOf(callee['name'])) && isEmpty(value['arguments']);
  return isEmpty(type === 'ArrayExpression' ? value['elements'] : value['properties']);
}

const classes = new Set(['Map', 'Set', 'WeakMap', 'WeakSet', 'Array']);

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function nodesOf(value: unknown): readonly SyntaxNode[] {
  if (Array.isArray(value)) return value.flatMap(nodesOf);
  if (!isNode(value)) return [];
  return [value, ...Object.values(value).flatMap(nodesOf)];
}

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
