import { execFile } from 'node:child_process';
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, normalize, posix } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import type { OutputChunk, Plugin } from 'rolldown';
import { loadDefinitions } from '../../cli/main.ts';
import { loadChosenContract } from '../../cli/package/bundled.ts';
import { packageFile } from '../../cli/package/package-root.ts';
import { renderJson } from '../../contract/json/value.ts';
import { createMock } from '../../mock/index.ts';
import manifest from '../../package.json' with { type: 'json' };
import { browserOptions, bundle } from './bundle.ts';
import { composeConfigSchema } from './config-schema.ts';
import { renderNotices } from './notices.ts';
import { addPageFiles, bundlePage } from './page-build.ts';
import { renderApiTypes, renderConfigTypes } from './types.ts';

/**
 * Writes the package's JavaScript and types into a folder, which is emptied first. Its modules, and the
 * packages that only they use, are bundled: the installed package is small and loads fast.
 */
export async function buildPackage(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  for (const [name, text] of await renderDataFiles()) await writeText(join(folder, name), text);
  const modules = exportedAs('default');
  const [forNode, forBrowsers, scripts] = await Promise.all([
    bundleForNode(modules),
    bundleForBrowsers(modules),
    bundlePage(),
    writeDeclarations(folder),
  ]);
  const chunks = [...forNode, ...forBrowsers];
  for (const { fileName, code } of chunks) await writeText(join(folder, fileName), code);
  await writeText(join(folder, guardFile), guard);
  for (const [name, text] of await addPageFiles(scripts))
    await writeText(join(folder, 'page/files', name), text);
  await copyReference(join(folder, 'page/reference'));
  const bundled = [...chunks, ...scripts].flatMap(({ moduleIds }) => moduleIds);
  await writeText(join(folder, 'third-party-notices.txt'), await renderNotices(bundled));
}

/**
 * Derived files besides JavaScript and declarations: texts by their names in `dist/`. Throws if the bundled
 * document or inventory is invalid.
 */
async function renderDataFiles(): Promise<ReadonlyMap<string, string>> {
  const contract = await loadChosenContract(packageFile('openapi.yaml'), { strict: true });
  createMock(contract);
  const { document, digest } = contract;
  const schema = composeConfigSchema(await loadDefinitions());
  return new Map([
    ['openapi.d.ts', renderApiTypes(document)],
    ['config.d.ts', renderConfigTypes(schema)],
    ['config.schema.json', `${renderJson(schema, 2)}\n`],
    ['validated.json', renderJson({ digest, document })],
  ]);
}

/**
 * The entry points in `exports` of package.json under a condition, relative to `dist` and without `.js`.
 */
function exportedAs(condition: 'default' | 'types' | 'browser'): readonly string[] {
  const targets: readonly (string | Readonly<Partial<Record<string, string>>>)[] = Object.values(
    manifest.exports,
  );
  return targets
    .map((target) => (typeof target === 'string' ? '' : (target[condition] ?? '')))
    .filter((path) => path.startsWith('./dist/'))
    .map((path) => path.slice('./dist/'.length).replace(/\.js$/, ''));
}

/** Packages that users install as dependencies. */
const installed = [
  ...Object.keys(manifest.dependencies),
  ...Object.keys(manifest.peerDependencies),
];
const external = installed.map((name) => new RegExp(`^${name}(/|$)`));

async function bundleForNode(modules: readonly string[]): Promise<readonly OutputChunk[]> {
  const required = new Set<string>();
  const chunks = await bundle(
    {
      input: Object.fromEntries(
        ['cli/petstore', 'selftest/generated/worker', ...modules].map((name) => [
          name,
          packageFile(`${name}.ts`),
        ]),
      ),
      platform: 'node',
      transform: { target: 'es2024' },
      external,
      plugins: [linkRequired(required), takeBuiltins],
    },
    {
      // Comments for readers of the API are in the types.
      comments: { jsdoc: false },
      chunkFileNames: 'chunks/[name]-[hash].js',
      codeSplitting: { groups: startGroups() },
      banner: ({ fileName, name, isEntry }) =>
        isEntry && modules.includes(name) ? `import '${pathTo(guardFile, fileName)}';` : '',
    },
  );
  return [...chunks, ...(await bundleRequired(required))];
}

/**
 * Modules that are loaded together are one file: each further one costs a start about half a millisecond. A
 * group contains what its module imports, without the contents of earlier groups.
 */
function startGroups() {
  const modules = ['contract/load.ts', 'contract/read.ts', 'mock/index.ts', 'cli/commands/mock.ts'];
  return modules.map((path, index) => ({
    name: path.replace(/(?:\/index)?\.ts$/, '').replaceAll('/', '-'),
    test: (id: string) => id === packageFile(path),
    priority: modules.length - index,
  }));
}

/** The path of one file of the package in an import of another. */
function pathTo(file: string, importer: string): string {
  const path = posix.relative(dirname(importer), file);
  return path.startsWith('.') ? path : `./${path}`;
}

const guardFile = 'node-guard.js';
const least = manifest.engines.node.replace('>=', '');
const [leastMajor = '', leastMinor = ''] = least.split('.');

/**
 * Runs first in every module that users import. Without it, an older Node fails at whatever it lacks, with
 * a message that does not mention the version. A browser has no `process`. The numbers are compared one by
 * one: `localeCompare` with `numeric` loads ICU data, which takes 8 ms.
 */
const guard = `const node = globalThis.process?.versions?.node;
const [major, minor] = (node ?? '${least}').split('.').map(Number);
if (major < ${leastMajor} || (major === ${leastMajor} && minor < ${leastMinor}))
  throw new Error(\`petstore-contract needs Node ${least} or newer, and this is Node \${node}.\`);
`;

/**
 * Reads Node's built-in modules with `process.getBuiltinModule`. An import of one evaluates all of its
 * getters, such as `parseArgs` or `WebSocket`, and loads what they need: a start took a fifth longer.
 */
const takeBuiltins: Plugin = {
  name: 'builtins',
  renderChunk: (code, { isEntry }) =>
    isEntry
      ? null
      : code.replaceAll(
          /^import (?:\* as )?(\w+|\{.*\}) from "(node:.*)";$/gm,
          (_all, names, name) => {
            const taken = `${names}`.replaceAll(' as ', ': ');
            return `const ${taken} = process.getBuiltinModule("${name}");`;
          },
        ),
};

const requiredFile = 'chunks/required.cjs';

/** Collects the packages that modules require when they first need them, and requires one file instead. */
function linkRequired(required: Set<string>): Plugin {
  return {
    name: 'required',
    transform(code) {
      if (!code.includes('createRequire(import.meta.url)')) return null;
      return code.replaceAll(/\brequire\('([\w-]+(?:\/[^']*)?)'\)/g, (_all, name: string) => {
        required.add(name);
        return `require('dist:required')['${name}']`;
      });
    },
    renderChunk: (code, { fileName }) =>
      code.replaceAll('dist:required', () => pathTo(requiredFile, fileName)),
  };
}

/** One CommonJS file with all packages that are required: a member for each. */
async function bundleRequired(names: ReadonlySet<string>): Promise<readonly OutputChunk[]> {
  const members = [...names].map((name) => `'${name}': require('${name}')`);
  const entry = packageFile('required.cjs');
  return await bundle(
    {
      input: entry,
      platform: 'node',
      plugins: [
        {
          name: 'required-entry',
          resolveId: (name) => (name === entry ? entry : null),
          load: (id) => (id === entry ? `module.exports = { ${members.join(', ')} };` : null),
        },
      ],
    },
    { format: 'cjs', minify: true, entryFileNames: requiredFile },
  );
}

/** The modules of the package for browsers and workers, under `browser` in `exports`. */
async function bundleForBrowsers(modules: readonly string[]): Promise<readonly OutputChunk[]> {
  const wanted = exportedAs('browser');
  const names = modules.map((name) => `browser/${name}`).filter((name) => wanted.includes(name));
  return await bundle(
    {
      ...(await browserOptions()),
      input: Object.fromEntries(
        names.map((name) => [name, packageFile(`${name.replace('browser/', '')}.ts`)]),
      ),
      external,
    },
    {
      minify: true,
      comments: { jsdoc: false },
      chunkFileNames: 'browser/chunks/[name]-[hash].js',
    },
  );
}

/** The declarations reachable from the published ones; imports in them name the JavaScript files. */
async function writeDeclarations(folder: string): Promise<void> {
  const compiler = packageFile('node_modules/typescript/bin/tsc');
  const options = ['-p', packageFile('tsconfig.build.json'), '--outDir', folder];
  await promisify(execFile)(process.execPath, [compiler, ...options]);
  const reached = new Set(exportedAs('types').map(normalize));
  // The loop also visits what it adds.
  for (const path of reached) {
    const text = await readFile(join(folder, path), 'utf8');
    for (const [, target = ''] of text.matchAll(localImport))
      reached.add(join(dirname(path), `${target}.d.ts`));
    await writeFile(join(folder, path), text.replaceAll(localImport, "'$1.js'"));
  }
  const written = await readdir(folder, { recursive: true });
  const others = written.filter((path) => path.endsWith('.d.ts') && !reached.has(path));
  for (const path of others) await rm(join(folder, path));
}

/** `'./other.ts'` after `from` or in `import()`. */
const localImport = /(?<=\b(?:from |import\(|import ))'(\.[^']*)\.ts'/g;

async function writeText(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}

/** The library that shows the document: its script, compressed, and its licences. */
async function copyReference(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const library = packageFile('node_modules/swagger-ui-dist');
  const script = 'swagger-ui-bundle.js';
  await writeFile(join(folder, `${script}.gz`), gzipSync(await readFile(join(library, script))));
  const names = [`${script}.LICENSE.txt`, 'LICENSE', 'NOTICE'];
  for (const name of names) await copyFile(join(library, name), join(folder, name));
}
