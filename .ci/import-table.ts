import { posix } from 'node:path';
import type { ImportSyntax } from './module-syntax.ts';

/** What the modules of one folder may import, besides each other and what Node brings. */
export interface ImportRule {
  /** Folders, through their `index.ts`; `fixtures` is data and has no single door. */
  readonly folders: readonly string[];
  readonly packages: readonly string[] | 'any';
}

/**
 * What the mock may import in its doors (`mock/doors/`, `mock/vitest/`) and nowhere else: its core
 * needs no package.
 */
export const doorPackages: readonly string[] = ['msw', 'undici', 'vitest'];

/**
 * What the test clients (`fixtures/clients/`) may import, and nothing else of `fixtures/`: clients
 * of a service are judged as people write them, with a library for HTTP.
 */
export const clientPackages: readonly string[] = ['undici'];

/**
 * The import table: the keeper (`mock`) and the doubter (`conformance`) share the contract and
 * never each other's reading of it. A folder that is not listed may import anything.
 */
export const importTable: ReadonlyMap<string, ImportRule> = new Map([
  [
    'contract',
    {
      folders: [],
      packages: ['ajv', 'ajv-formats', '@apidevtools/swagger-parser', 'openapi-types', 'yaml'],
    },
  ],
  ['mock', { folders: ['contract', 'fixtures'], packages: ['openapi-sampler', ...doorPackages] }],
  ['conformance', { folders: ['contract', 'fixtures'], packages: ['fast-check', 'undici'] }],
  ['certificate', { folders: ['contract', 'conformance'], packages: [] }],
  ['client', { folders: ['contract', 'mock', 'conformance'], packages: [] }],
  ['fixtures', { folders: ['contract'], packages: clientPackages }],
]);

/**
 * Why a module may not import what it imports; undefined where it may. Tests may import anything.
 *
 * @param path the importing module, relative to the project: `mock/server.ts`
 */
export function judgeImport(path: string, { from, typeOnly }: ImportSyntax): string | undefined {
  const folder = folderOf(path);
  const rule = importTable.get(folder);
  if (rule === undefined || path.endsWith('.test.ts') || from.startsWith('node:')) return undefined;
  if (!from.startsWith('.')) return judgePackage(rule, path, from);
  const target = resolveImport(path, from);
  if (folderOf(target) === folder) return undefined;
  return judgeFolder(rule, folder, target) ?? judgeKind(folder, target, typeOnly);
}

/** The path of a relative import, relative to the project. */
export function resolveImport(path: string, from: string): string {
  return posix.join(posix.dirname(path), from);
}

/** The first part of a path: `mock` of `mock/server.ts`. */
function folderOf(path: string): string {
  return path.split('/')[0] ?? '';
}

/** The package of an import: `@scope/name` of `@scope/name/deep.js`. */
export function packageOf(from: string): string {
  return from
    .split('/')
    .slice(0, from.startsWith('@') ? 2 : 1)
    .join('/');
}

function judgePackage(rule: ImportRule, path: string, from: string): string | undefined {
  const folder = folderOf(path);
  const name = packageOf(from);
  if (doorPackages.includes(name) && folder === 'mock' && !/^mock\/(doors|vitest)\//.test(path))
    return `${path} is no door, and may not import ${name}`;
  if (folder === 'fixtures' && !path.startsWith('fixtures/clients/'))
    return `fixtures/ may import packages in its clients only, not ${name} in ${path}`;
  if (rule.packages === 'any' || rule.packages.includes(name)) return undefined;
  return `${folder}/ may not import the package ${name}`;
}

function judgeFolder(rule: ImportRule, folder: string, target: string): string | undefined {
  const other = folderOf(target);
  if (!rule.folders.includes(other)) return `${folder}/ may not import ${other}/`;
  if (other === 'fixtures' || target === `${other}/index.ts`) return undefined;
  return `${folder}/ may import ${other}/ only through its door, ${other}/index.ts`;
}

/**
 * Faults and variants are the judges of both halves, so neither half may know them; fixtures know
 * types only.
 */
function judgeKind(folder: string, target: string, typeOnly: boolean): string | undefined {
  if (/^fixtures\/(faults|variants)\//.test(target))
    return `${folder}/ may not import the servers it is judged by`;
  return folder === 'fixtures' && !typeOnly ? 'fixtures/ may import types only' : undefined;
}
