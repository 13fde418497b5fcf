import { posix } from 'node:path';

/** What the modules of one folder may import, besides each other and what Node brings. Default: nothing. */
interface ImportRule {
  /** Top-level folders: any file of `contract/`, and the `index.ts` of the others. */
  readonly folders?: readonly string[];
  readonly packages?: readonly string[];
  /** Single modules of other folders. */
  readonly modules?: readonly string[];
}

/** Components and their parts: each is imported directly. */
const openFolder = 'page/view';

/** Limits shared by several rooms. */
const sharedModule = 'contract/limits/index.ts';

/** What folders may import, by the longest prefix; unlisted folders may import anything. */
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
  // Only here, because its core needs no package.
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
  // It runs in a browser, and knows the mock only through its control interface.
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
  // The codec of journals is separate: a mock starts without it.
  [
    'client',
    {
      folders: ['contract', 'mock', 'conformance'],
      modules: ['mock/control/declaration/schemas.ts'],
    },
  ],
  // The servers and clients that measure the suite share no code with it.
  ['selftest/service', {}],
  // The mutants of any document: the mock behind a layer, confirmed only by Ajv.
  [
    'selftest/generated',
    { folders: ['contract', 'mock', 'conformance'], packages: ['ajv', 'ajv-formats'] },
  ],
  ['selftest/subject', {}],
  ['selftest/mutants', {}],
  ['selftest/variants', {}],
  // It judges independently of the suite's judge, and knows only the format of the suite's logs.
  ['selftest/oracle', { folders: ['contract', 'conformance'] }],
  ['selftest/clients', { packages: ['undici'] }],
  // It measures the project from outside, only through its commands.
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
 * Why a module may not import another; undefined if it may. Tests may import anything.
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

/** Whether a module is a test, or only used by tests. */
export function isTest(path: string): boolean {
  return path.endsWith('.test.ts') || path.startsWith('test/');
}

/** The longest folder of the table that a path is in. */
function roomOf(path: string): string | undefined {
  return [...importTable.keys()]
    .filter((room) => path.startsWith(`${room}/`))
    .toSorted((one, other) => other.length - one.length)[0];
}

/** The independent service and the test clients import nothing else from `selftest/`. */
function judgeWithin(room: string, target: string): string | undefined {
  const isApart = /^selftest\/(service|clients)\b/.test(room);
  const isOutside = !target.startsWith(`${room}/`);
  return isApart && isOutside ? `${room}/ may import nothing of ours, not ${target}` : undefined;
}

export function resolveImport(path: string, from: string): string {
  return posix.join(posix.dirname(path), from);
}

/** The room of a path: `mock` of `mock/mock.ts`. `page/view` is a separate room. */
function folderOf(path: string): string {
  return path.startsWith(`${openFolder}/`) ? openFolder : (path.split('/')[0] ?? '');
}

/** The package of an import: `@scope/name` of `@scope/name/deep.js`. */
export function packageOf(from: string): string {
  return /^(@[^/]+\/)?[^/]+/.exec(from)?.[0] ?? '';
}
