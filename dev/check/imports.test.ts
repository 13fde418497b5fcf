import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { isTest, judgeImport, packageOf, resolveImport } from './import-table.ts';
import { bundledPackages } from '../build/notices.ts';
import { listProjectFiles, projectRoot } from './project-files.ts';

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
