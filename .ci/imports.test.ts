import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findCycle } from './import-cycle.ts';
import { judgeImport, packageOf, resolveImport } from './import-table.ts';
import { readManifest, readProjectJson } from './manifest.ts';
import { parseModule } from './module-syntax.ts';
import { listProjectFiles, projectRoot } from './project-files.ts';

const modules = listProjectFiles()
  .filter((path) => path.endsWith('.ts'))
  .map((path) => ({ path, ...parseModule(readFileSync(join(projectRoot, path), 'utf8')) }));

const isPublished = ({ path }: { readonly path: string }): boolean =>
  /^(?!cli\/maintenance\/)(contract|mock|conformance|certificate|client|fixtures|cli)\//.test(
    path,
  ) && !path.endsWith('.test.ts');

const judge = (path: string, text: string): readonly (string | undefined)[] =>
  parseModule(text).imports.map((one) => judgeImport(path, one));

describe('the project', () => {
  test('holds the import table', () => {
    const faults = modules.flatMap(({ path, imports }) =>
      imports.flatMap((one) => {
        const reason = judgeImport(path, one);
        return reason === undefined ? [] : [`${path}: imports ${one.from}: ${reason}`];
      }),
    );
    expect(faults).toEqual([]);
  });

  test('names the packages it imports as dependencies of the published package', () => {
    const dependencies = Object.keys(readManifest(readProjectJson('package.json')).dependencies);
    const packages = modules
      .filter(isPublished)
      .flatMap(({ imports }) => imports.map(({ from }) => from));
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
          imports
            .filter(({ from }) => from.startsWith('.'))
            .map(({ from }) => resolveImport(path, from)),
        ] as const,
    );
    expect(findCycle(new Map(graph))).toBeUndefined();
  });

  test('has no state in modules', () => {
    const faults = modules
      .filter(isPublished)
      .flatMap(({ path, mutable }) => mutable.map((name) => `${path}: ${name}`));
    expect(faults).toEqual([]);
  });

  test('has no file named as the place for everything', () => {
    const vague = /(^|[/-])(utils?|helpers?|commons?|misc|managers?)([./-]|$)/;
    expect(listProjectFiles().filter((path) => vague.test(path))).toEqual([]);
  });
});

describe('the import table', () => {
  const verdicts = [
    [
      'mock/server.ts',
      "import { x } from '../conformance/index.ts';",
      'mock/ may not import conformance/',
    ],
    [
      'conformance/run.ts',
      "import type { X } from '../mock/index.ts';",
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
      'mock/server.ts',
      "export * from '../contract/json.ts';",
      'mock/ may import contract/ only through its door, contract/index.ts',
    ],
    [
      'mock/server.ts',
      "import { fetch } from 'undici';",
      'mock/server.ts is no door, and may not import undici',
    ],
    ['mock/doors/x.ts', "import { fetch } from 'axios';", 'mock/ may not import the package axios'],
    [
      'contract/load.ts',
      "import x from '@apidevtools/other/deep';",
      'contract/ may not import the package @apidevtools/other',
    ],
    [
      'conformance/run.ts',
      "import { x } from '../fixtures/faults/index.ts';",
      'conformance/ may not import the servers it is judged by',
    ],
    [
      'certificate/a.ts',
      "import { x } from '../mock/index.ts';",
      'certificate/ may not import mock/',
    ],
    [
      'certificate/a.ts',
      "import { x } from '../conformance/verdict.ts';",
      'certificate/ may import conformance/ only through its door, conformance/index.ts',
    ],
    [
      'client/a.ts',
      "import { x } from '../certificate/index.ts';",
      'client/ may not import certificate/',
    ],
    [
      'client/a.ts',
      "import { x } from '../mock/sandbox.ts';",
      'client/ may import mock/ only through its door, mock/index.ts',
    ],
    ['client/a.ts', "import { fetch } from 'undici';", 'client/ may not import the package undici'],
    [
      'conformance/a.ts',
      "import { x } from '../client/index.ts';",
      'conformance/ may not import client/',
    ],
    [
      'certificate/a.ts',
      "import { sign } from 'undici';",
      'certificate/ may not import the package undici',
    ],
    [
      'fixtures/faults/a.ts',
      "import { x } from '../../contract/index.ts';",
      'fixtures/ may import types only',
    ],
    [
      'fixtures/faults/a.ts',
      "import { fetch } from 'undici';",
      'fixtures/ may import packages in its clients only, not undici in fixtures/faults/a.ts',
    ],
    ['fixtures/clients/a.ts', "import 'fastify';", 'fixtures/ may not import the package fastify'],
  ] as const;

  test.each(verdicts)('in %s refuses %s', (path, text, reason) => {
    expect(judge(path, text)).toEqual([reason]);
  });

  const lawful = [
    [
      'mock/server.ts',
      "import { x } from '../contract/index.ts'; import y from './route.ts'; import 'node:http';",
    ],
    ['mock/doors/undici.ts', "import { Dispatcher } from 'undici';"],
    ['mock/keys.ts', "import keys from '../fixtures/keys.json' with { type: 'json' };"],
    [
      'conformance/run.ts',
      "import { request } from 'undici'; import { values } from '../fixtures/values/index.ts';",
    ],
    ['contract/load.ts', "import P from '@apidevtools/swagger-parser/lib/index.js';"],
    ['fixtures/faults/a.ts', "import type { X } from '../../contract/index.ts';"],
    [
      'fixtures/clients/a.ts',
      "import { Agent } from 'undici'; import { env } from 'node:process';",
    ],
    [
      'client/a.ts',
      "import { x } from '../mock/index.ts'; import { y } from '../conformance/index.ts';",
    ],
    [
      'certificate/a.ts',
      "import { createHash } from 'node:crypto'; import { x } from '../conformance/index.ts';",
    ],
    ['conformance/self.test.ts', "import { createMock } from '../mock/index.ts';"],
    ['cli/main.ts', "import { createMock } from '../mock/index.ts'; import 'undici';"],
  ] as const;

  test.each(lawful)('in %s allows %s', (path, text) => {
    expect(judge(path, text).filter((reason) => reason !== undefined)).toEqual([]);
  });
});

describe('the reading of modules', () => {
  test('does not take strings and comments for imports', () => {
    expect(
      parseModule("// import 'a'\nconst text = \"import 'b'\"; export const c = 1;").imports,
    ).toEqual([]);
  });

  test('finds variables that can change', () => {
    const text =
      'let a = 1; export const b = new Map<string, number>(); const c: string[] = []; const d = {};';
    expect(parseModule(text).mutable).toEqual(['a', 'b', 'c', 'd']);
    expect(
      parseModule(
        "const a = [1]; const b = new Set(['x']); const c = () => { let d = 1; return d; };",
      ).mutable,
    ).toEqual([]);
    expect(
      parseModule(
        'const a: readonly string[] = []; const b: ReadonlyMap<string, string> = new Map();',
      ).mutable,
    ).toEqual([]);
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
