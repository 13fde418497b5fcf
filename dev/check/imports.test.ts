import { readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { describe, expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { bundledPackages } from '../build/notices.ts';
import { isTest, listProjectFiles, projectRoot } from './project-files.ts';

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
function judgeImport(path: string, from: string): string | undefined {
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

function resolveImport(path: string, from: string): string {
  return posix.join(posix.dirname(path), from);
}

/** The room of a path: `mock` of `mock/mock.ts`. `page/view` is a separate room. */
function folderOf(path: string): string {
  return path.startsWith(`${openFolder}/`) ? openFolder : (path.split('/')[0] ?? '');
}

/** The package of an import: `@scope/name` of `@scope/name/deep.js`. */
function packageOf(from: string): string {
  return /^(@[^/]+\/)?[^/]+/.exec(from)?.[0] ?? '';
}

/**
 * What a module imports, as written: `./contract.ts`, `node:fs`, `ajv`. The text is formatted, so
 * its lines show it: `import ... from`, `export ... from`, `import()`.
 */
function importsOf(text: string): readonly string[] {
  const imports = text.matchAll(
    /(?:^import |^(?:import|export|\}) .*from |\bimport\()'([^'\n]+)'/gm,
  );
  return [...imports].map(([, from = '']) => from);
}

/** Names of a module's variables that can change: `let`, `var`, and collections that start empty. */
function stateOf(text: string): readonly string[] {
  const empty = String.raw`(?:\[\]|\{\}|new (?:Array|(?:Weak)?(?:Map|Set))(?:<.*>)?\(\));$`;
  const state = new RegExp(
    String.raw`^(?:export )?(?:(?:let|var) (\w+)|const (\w+)(?:: (?!readonly|Readonly).*)? =\s+${empty})`,
    'gm',
  );
  return [...text.matchAll(state)].map(([, variable, constant]) => variable ?? constant ?? '');
}

/** One cycle of a graph of imports, its first module again at the end; undefined for none. */
function findCycle(graph: ReadonlyMap<string, readonly string[]>): readonly string[] | undefined {
  const done = new Set<string>();
  const visit = (path: string, way: readonly string[]): readonly string[] | undefined => {
    if (way.includes(path)) return [...way.slice(way.indexOf(path)), path];
    if (done.has(path)) return undefined;
    const ways = (graph.get(path) ?? []).values().map((next) => visit(next, [...way, path]));
    const cycle = ways.find((each) => each !== undefined);
    done.add(path);
    return cycle;
  };
  return graph
    .keys()
    .map((path) => visit(path, []))
    .find((each) => each !== undefined);
}

const modules = listProjectFiles()
  .filter((path) => path.endsWith('.ts'))
  .map((path) => {
    const text = readFileSync(join(projectRoot, path), 'utf8');
    return { path, imports: importsOf(text), state: stateOf(text) };
  });

const isPublished = ({ path }: { readonly path: string }): boolean =>
  /^(contract|mock|conformance|report|certificate|client|cli)\//.test(path) &&
  !path.endsWith('.test.ts');

/** Source files in rooms: no tests, and not the project's own checks and records. */
const isSource = ({ path }: { readonly path: string }): boolean =>
  !isTest(path) && path.includes('/') && !/^(dev\/check|docs)\//.test(path);

const judge = (path: string, text: string): readonly (string | undefined)[] =>
  importsOf(text).map((one) => judgeImport(path, one));

describe('the project', () => {
  test('follows the import table', () => {
    const faults = modules.flatMap(({ path, imports }) =>
      imports.flatMap((from) => {
        const reason = judgeImport(path, from);
        return reason === undefined ? [] : [`${path}: imports ${from}: ${reason}`];
      }),
    );
    expect(faults).toEqual([]);
  });

  test('imports the dependencies of the published package, and what the build bundles into it', () => {
    const { dependencies: own, peerDependencies: peers } = manifest;
    const dependencies = [...Object.keys({ ...own, ...peers }), ...bundledPackages];
    const packages = modules.filter(isPublished).flatMap(({ imports }) => imports);
    const missing = packages.filter(
      (from) => !/^(\.|node:)/.test(from) && !dependencies.includes(packageOf(from)),
    );
    expect(missing).toEqual([]);
  });

  test('has no cycle of imports', () => {
    const graph = modules.map(
      ({ path, imports }) =>
        [
          path,
          imports.filter((from) => from.startsWith('.')).map((from) => resolveImport(path, from)),
        ] as const,
    );
    expect(findCycle(new Map(graph))).toBeUndefined();
  });

  test('has no cycle between folders', () => {
    const graph = new Map<string, Set<string>>();
    for (const { path, imports } of modules.filter(isSource)) {
      const targets = imports.filter((from) => from.startsWith('.'));
      const folders = targets.map((from) => dirname(resolveImport(path, from)));
      const known = graph.get(dirname(path)) ?? new Set();
      for (const folder of folders) if (folder !== dirname(path)) known.add(folder);
      graph.set(dirname(path), known);
    }
    const list = [...graph].map(([folder, targets]) => [folder, [...targets]] as const);
    expect(findCycle(new Map(list))).toBeUndefined();
  });

  test('has no state in modules', () => {
    const faults = modules
      .filter(isPublished)
      .flatMap(({ path, state }) => state.map((name) => `${path}: ${name}`));
    expect(faults).toEqual([]);
  });

  test('has no catch-all file name', () => {
    const vague = /(^|[/-])(utils?|helpers?|commons?|misc|managers?)([./-]|$)/;
    expect(listProjectFiles().filter((path) => vague.test(path))).toEqual([]);
  });
});

describe('the import table', () => {
  const verdicts = [
    [
      'mock/mock.ts',
      "import { x } from '../conformance/index.ts';",
      'mock/ may not import conformance/',
    ],
    [
      'conformance/run/run.ts',
      "import type { X } from '../../mock/index.ts';",
      'conformance/ may not import mock/',
    ],
    [
      'contract/load.ts',
      "const x = await import('../cli/main.ts');",
      'contract/ may not import cli/',
    ],
    [
      'contract/load.ts',
      "type X = import('../mock/index.ts').Mock;",
      'contract/ may not import mock/',
    ],
    [
      'client/a.ts',
      "export * from '../mock/mock.ts';",
      'client/ may import mock/ only through mock/index.ts',
    ],
    ['mock/mock.ts', "import { fetch } from 'undici';", 'mock/ may not import the package undici'],
    [
      'mock/integrations/a.ts',
      "import { fetch } from 'axios';",
      'mock/integrations/ may not import the package axios',
    ],
    [
      'contract/load.ts',
      "import x from '@apidevtools/other/deep';",
      'contract/ may not import the package @apidevtools/other',
    ],
    [
      'conformance/a.ts',
      "import { x } from '../selftest/index.ts';",
      'conformance/ may not import selftest/',
    ],
    [
      'conformance/a.ts',
      "import { x } from '../report/index.ts';",
      'conformance/ may not import report/',
    ],
    [
      'conformance/a.ts',
      "import { x } from '../client/index.ts';",
      'conformance/ may not import client/',
    ],
    [
      'report/a.ts',
      "import { x } from '../conformance/run/report.ts';",
      'report/ may import conformance/ only through conformance/index.ts',
    ],
    [
      'certificate/a.ts',
      "import { x } from '../mock/index.ts';",
      'certificate/ may not import mock/',
    ],
    [
      'certificate/a.ts',
      "import { sign } from 'undici';",
      'certificate/ may not import the package undici',
    ],
    [
      'client/a.ts',
      "import { x } from '../certificate/index.ts';",
      'client/ may not import certificate/',
    ],
    ['client/a.ts', "import { fetch } from 'undici';", 'client/ may not import the package undici'],
    [
      'selftest/mutants/a.ts',
      "import { x } from '../../contract/index.ts';",
      'selftest/mutants/ may not import contract/',
    ],
    [
      'selftest/service/a.ts',
      "import { x } from '../mutants/auth.ts';",
      'selftest/service/ may import nothing of ours, not selftest/mutants/auth.ts',
    ],
    [
      'selftest/service/a.ts',
      "import { fetch } from 'undici';",
      'selftest/service/ may not import the package undici',
    ],
    [
      'selftest/clients/a.ts',
      "import 'fastify';",
      'selftest/clients/ may not import the package fastify',
    ],
  ] as const;

  test.each(verdicts)('in %s refuses %s', (path, text, reason) => {
    expect(judge(path, text)).toEqual([reason]);
  });

  const valid = [
    [
      'mock/mock.ts',
      "import { x } from '../contract/json/value.ts';\nimport y from './a.ts';\nimport 'node:http';",
    ],
    ['mock/integrations/undici/undici.ts', "import { Dispatcher } from 'undici';"],
    [
      'conformance/run/run.ts',
      "import { request } from 'undici';\nimport { x } from '../judge/a.ts';",
    ],
    ['contract/load.ts', "import P from '@apidevtools/swagger-parser/lib/index.js';"],
    ['report/a.ts', "import { x } from '../conformance/index.ts';"],
    ['selftest/mutants/a.ts', "import type { X } from '../service/service.ts';"],
    [
      'selftest/clients/a.ts',
      "import { Agent } from 'undici';\nimport { env } from 'node:process';",
    ],
    [
      'client/a.ts',
      "import { x } from '../mock/index.ts';\nimport { y } from '../conformance/index.ts';",
    ],
    [
      'certificate/a.ts',
      "import { createHash } from 'node:crypto';\nimport { x } from '../report/index.ts';",
    ],
    ['conformance/self.test.ts', "import { createMock } from '../mock/index.ts';"],
    ['cli/main.ts', "import { createMock } from '../mock/index.ts';\nimport 'undici';"],
  ] as const;

  test.each(valid)('in %s allows %s', (path, text) => {
    expect(judge(path, text).filter((reason) => reason !== undefined)).toEqual([]);
  });
});

describe('the reading of modules', () => {
  test('finds every form of import, except in strings and comments', () => {
    const forms = [
      "import 'a';",
      "import { a } from 'b';",
      'import {',
      '  a,',
      "} from 'c';",
      "export * from 'd';",
      "const { a } = await import('e');",
      "type A = import('f').A;",
      "// import 'g'",
      'const text = "import \'h\'";',
    ];
    expect(importsOf(forms.join('\n'))).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
  });

  test('finds variables that can change', () => {
    const changing = [
      'let a = 1;',
      'export const b = new Map<string, number>();',
      'const c: string[] = [];',
      'const d = {};',
    ];
    expect(stateOf(changing.join('\n'))).toEqual(['a', 'b', 'c', 'd']);
    const constant = [
      'const a = [1];',
      "const b = new Set(['x']);",
      'const c = () => {',
      '  let d = 1;',
      '};',
      'const e: readonly string[] = [];',
      'const f: ReadonlyMap<string, string> = new Map();',
    ];
    expect(stateOf(constant.join('\n'))).toEqual([]);
  });

  test('finds a cycle', () => {
    expect(
      findCycle(
        new Map([
          ['a', ['b']],
          ['b', ['c']],
          ['c', ['b']],
        ]),
      ),
    ).toEqual(['b', 'c', 'b']);
    expect(
      findCycle(
        new Map([
          ['a', ['b', 'c']],
          ['b', ['c']],
          ['c', []],
        ]),
      ),
    ).toBeUndefined();
  });
});
