import { posix } from 'node:path';

/** What the modules of one folder may import, besides each other and what Node brings. Default: nothing. */
interface ImportRule {
  /** Top-level folders: any file of `contract/`, and the `index.ts` of the others. */
  readonly folders?: readonly string[];
  readonly packages?: readonly string[];
  /** Single modules of other folders. */
  readonly modules?: readonly string[];
}

/** Components and what they are made of: each is imported by itself. */
const openFolder = 'page/view';

/** Limits that several rooms share. */
const sharedModule = 'contract/limits/index.ts';

/** What folders may import, by the longest prefix; what is not listed may import all. */
const importTable: ReadonlyMap<string, ImportRule> = new Map([
  [
    'contract',
    {
      packages: [
        'ajv',
        'ajv-formats',
        '@apidevtools/swagger-parser',
        'js-yaml',
        'json-p3',
        'openapi-types',
        're2js',
        'yaml',
      ],
    },
  ],
  ['mock', { folders: ['contract'] }],
  // Only here, as its core needs no package.
  ['mock/integrations', { folders: ['contract'], packages: ['msw', 'undici', 'vitest'] }],
  ['mock/state/valkey', { folders: ['contract'], packages: ['@redis/client'] }],
  ['conformance', { folders: ['contract'], packages: ['fast-check', 'undici'] }],
  ['contract/limits', {}],
  [
    'page/view',
    {
      packages: ['htm', 'preact', 'preact-render-to-string'],
      modules: ['contract/json/pointer.ts', 'contract/json/scan.ts'],
    },
  ],
  // It runs in a browser, and knows the mock by its control interface alone.
  [
    'page',
    {
      folders: ['page/view'],
      packages: ['preact'],
      modules: [
        'contract/json/pointer.ts',
        'mock/control/client.ts',
        'mock/control/hint/duration.ts',
      ],
    },
  ],
  ['report', { folders: ['contract', 'conformance', 'page/view'] }],
  ['certificate', { folders: ['contract', 'conformance', 'report', 'page/view'] }],
  ['traffic', { folders: ['contract', 'conformance', 'report'], packages: ['undici'] }],
  // The codec of journals is apart: a mock starts without it.
  [
    'client',
    {
      folders: ['contract', 'mock', 'conformance'],
      modules: ['mock/control/declaration/schemas.ts'],
    },
  ],
  // The servers and clients that the suite is measured by share no code with what they measure.
  ['selftest/service', {}],
  // The mutants of any document: the mock behind a layer, confirmed by Ajv alone.
  [
    'selftest/generated',
    { folders: ['contract', 'mock', 'conformance'], packages: ['ajv', 'ajv-formats'] },
  ],
  ['selftest/subject', {}],
  ['selftest/mutants', {}],
  ['selftest/variants', {}],
  // It judges beside the suite's judge, and sees of the suite only the form of its logs.
  ['selftest/oracle', { folders: ['contract', 'conformance'] }],
  ['selftest/clients', { packages: ['undici'] }],
  // It measures the project from outside, by its commands alone.
  [
    'dev/corpus',
    {
      modules: ['selftest/generated/document-schemas.ts'],
      packages: [
        '@apidevtools/swagger-parser',
        '@scalar/openapi-upgrader',
        'json-schema-faker',
        'openapi-sampler',
        'undici',
        'yaml',
      ],
    },
  ],
]);

/**
 * Why a module may not import what it imports; undefined if it may. Tests may import anything.
 *
 * @param path the importing module, relative to the project: `mock/mock.ts`
 */
export function judgeImport(path: string, from: string): string | undefined {
  const room = roomOf(path);
  const rule = room === undefined ? undefined : importTable.get(room);
  if (room === undefined || rule === undefined) return undefined;
  if (isTest(path) || from.startsWith('node:')) return undefined;
  if (!from.startsWith('.')) {
    const name = packageOf(from);
    return rule.packages?.includes(name) === true
      ? undefined
      : `${room}/ may not import the package ${name}`;
  }
  const target = resolveImport(path, from);
  const other = folderOf(target);
  if (other === folderOf(path)) return judgeWithin(room, target);
  if (rule.modules?.includes(target) === true) return undefined;
  if (target === sharedModule && !room.startsWith('selftest')) return undefined;
  if (rule.folders?.includes(other) !== true) return `${room}/ may not import ${other}/`;
  if (other === openFolder || other === 'contract' || target === `${other}/index.ts`)
    return undefined;
  return `${room}/ may import ${other}/ only through ${other}/index.ts`;
}

/** True for a test, and for what only tests use. */
export function isTest(path: string): boolean {
  return path.endsWith('.test.ts') || path.startsWith('test/');
}

/** The longest folder of the table that a path is in. */
function roomOf(path: string): string | undefined {
  return [...importTable.keys()]
    .filter((room) => path.startsWith(`${room}/`))
    .toSorted((one, other) => other.length - one.length)[0];
}

/** The independent service and the test clients know nothing else of `selftest/`. */
function judgeWithin(room: string, target: string): string | undefined {
  const isApart = /^selftest\/(service|clients)\b/.test(room);
  const isOutside = !target.startsWith(`${room}/`);
  return isApart && isOutside ? `${room}/ may import nothing of ours, not ${target}` : undefined;
}

export function resolveImport(path: string, from: string): string {
  return posix.join(posix.dirname(path), from);
}

/** The room of a path: `mock` of `mock/mock.ts`. Components are a room within another. */
function folderOf(path: string): string {
  return path.startsWith(`${openFolder}/`) ? openFolder : (path.split('/')[0] ?? '');
}

/** The package of an import: `@scope/name` of `@scope/name/deep.js`. */
export function packageOf(from: string): string {
  return /^(@[^/]+\/)?[^/]+/.exec(from)?.[0] ?? '';
}
