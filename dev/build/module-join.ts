import { dirname, posix } from 'node:path';
import {
  type OutputChunk,
  type OutputOptions,
  type Plugin,
  type RolldownOutput,
  rolldown,
} from 'rolldown';
import { packageFile } from '../../cli/package/package-root.ts';

/** What is joined, and into which files. */
export interface ModuleJoin {
  /** Modules of the source that keep a file of their own, by its path in `dist` without `.js`. */
  readonly entries: Readonly<Record<string, string>>;
  /** Where shared parts go: a folder in `dist`. */
  readonly chunks: string;
  /** Packages that users install: they stay outside. */
  readonly packages: readonly string[];
  /** Whether all other packages go into files of their own, and not into these. */
  readonly isApart?: boolean;
  /** Modules of the source that stay outside, and the files in `dist` that they are. */
  readonly files?: ReadonlyMap<string, string>;
  /** Modules of the source that others take the place of. */
  readonly replacements?: ReadonlyMap<string, string>;
  /** Names in the source, and the JavaScript that stands for them. */
  readonly define?: Readonly<Record<string, string>>;
  readonly platform?: 'node' | 'browser';
  readonly minify?: boolean;
  /** All that the entries import at once goes into one file: each file costs a start the search for it. */
  readonly startsAtOnce?: boolean;
}

/** What was joined, in memory. */
export interface JoinedModules {
  readonly chunks: readonly OutputChunk[];
  /** What goes into files of its own, as the source names it: `yaml`, `ajv/dist/2020.js`. */
  readonly apart: PackageModules;
}

/** Modules of packages. */
export interface PackageModules {
  readonly imported: ReadonlySet<string>;
  /** By CommonJS, when they are wanted. */
  readonly required: ReadonlySet<string>;
}

const packagesFolder = 'packages';

/** Joins modules of the source and the packages that they import. Throws for one that is missing. */
export async function joinModules(join: ModuleJoin): Promise<JoinedModules> {
  const { entries, chunks, packages, platform = 'node', define = {}, minify = false } = join;
  const missing: string[] = [];
  const [imported, required] = [new Set<string>(), new Set<string>()];
  await using bundle = await rolldown({
    input: Object.fromEntries(
      Object.entries(entries).map(([name, path]) => [name, packageFile(path)]),
    ),
    platform,
    checks: { bundlerTimings: false },
    tsconfig: packageFile('page/tsconfig.json'),
    transform: { target: 'es2024', define },
    external: packages.map((name) => new RegExp(`^${name}(/|$)`)),
    plugins: [
      placeModules(join.replacements ?? new Map()),
      linkFiles(join.files ?? new Map()),
      ...(join.isApart === true ? [linkPackages(imported, required)] : []),
      placeLinks,
    ],
    onLog: (_level, { code, message }) =>
      void (code === 'UNRESOLVED_IMPORT' && missing.push(message)),
  });
  const options: OutputOptions = {
    format: 'esm',
    minify,
    // Those for readers of the API are in the types.
    comments: { jsdoc: false },
    entryFileNames: '[name].js',
    chunkFileNames: `${chunks}/[name]-[hash].js`,
  };
  const apart = { imported, required };
  const joined = chunksOf(await bundle.generate(options));
  if (missing.length > 0) throw new Error(missing.join('\n'));
  if (join.startsAtOnce !== true) return { chunks: joined, apart };
  const first = listImported(joined);
  const codeSplitting = { groups: [{ name: 'start', test: (id: string) => first.has(id) }] };
  return { chunks: chunksOf(await bundle.generate({ ...options, codeSplitting })), apart };
}

function chunksOf({ output }: Pick<RolldownOutput, 'output'>): readonly OutputChunk[] {
  return output.filter((file) => file.type === 'chunk');
}

/** The modules of entries and of all that they import at once. */
function listImported(chunks: readonly OutputChunk[]): ReadonlySet<string> {
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const names = new Set(chunks.flatMap(({ isEntry, fileName }) => (isEntry ? [fileName] : [])));
  for (const one of names) for (const name of byName.get(one)?.imports ?? []) names.add(name);
  return new Set([...names].flatMap((name) => byName.get(name)?.moduleIds ?? []));
}

/** Packages as files of their own; what they share is in files beside them. */
export async function joinPackages({
  imported,
  required,
}: PackageModules): Promise<readonly OutputChunk[]> {
  const entries = [...imported].map((name) => [
    `${packagesFolder}/${withoutExtension(name)}`,
    name,
  ]);
  const chunks = await Promise.all([
    joinEntries(Object.fromEntries(entries), 'esm', importEntry),
    required.size === 0
      ? []
      : joinEntries({ [requiredFile]: requiredFile }, 'cjs', requireEntries(required)),
  ]);
  return chunks.flat();
}

/** One file has all that is required: names in it are those by which the source requires. */
const requiredFile = `${packagesFolder}/required`;

async function joinEntries(
  entries: Readonly<Record<string, string>>,
  format: 'esm' | 'cjs',
  plugin: Plugin,
): Promise<readonly OutputChunk[]> {
  const extension = format === 'cjs' ? 'cjs' : 'js';
  await using bundle = await rolldown({
    input: entries,
    cwd: packageFile('.'),
    platform: 'node',
    checks: { bundlerTimings: false },
    plugins: [plugin],
  });
  const { output } = await bundle.generate({
    format,
    minify: true,
    entryFileNames: `[name].${extension}`,
    chunkFileNames: `${packagesFolder}/[name]-[hash].${extension}`,
  });
  return output.filter((file) => file.type === 'chunk');
}

/** An entry exports what Node gives of the package: of one in CommonJS a joined one has no names. */
const importEntry = entryPlugin(async (name) => {
  const exports: object = await import(name);
  const names = Object.keys(exports).filter((each) => each !== 'module.exports');
  return { code: `export { ${names.join(', ')} } from '${name}';`, moduleType: 'js' };
});

function requireEntries(names: ReadonlySet<string>): Plugin {
  const members = [...names].map((name) => `'${name}': require('${name}')`);
  const code = `module.exports = { ${members.join(', ')} };`;
  return entryPlugin(() => Promise.resolve({ code, moduleType: 'js' }));
}

/** Writes the modules that a join starts from. */
function entryPlugin(write: (name: string) => Promise<{ code: string; moduleType: 'js' }>): Plugin {
  return {
    name: 'entries',
    resolveId: (name, importer) => (importer === undefined ? `${entryMark}${name}` : null),
    load: async (id) => (id.startsWith(entryMark) ? await write(id.slice(entryMark.length)) : null),
  };
}

const entryMark = 'entry:';

/** Puts modules of the source in place of others. Paths in the project. */
export function placeModules(replacements: ReadonlyMap<string, string>): Plugin {
  const places = new Map(
    [...replacements].map(([from, to]) => [packageFile(from), packageFile(to)]),
  );
  return {
    name: 'replacements',
    async resolveId(name, importer) {
      const found = await this.resolve(name, importer, { skipSelf: true });
      return found === null ? null : (places.get(found.id) ?? found);
    },
  };
}

/**
 * Links to a file that is not joined: `dist:` and its path in `dist` stand for it until it is known
 * where each importing file lies.
 */
function linkFiles(files: ReadonlyMap<string, string>): Plugin {
  const places = new Map([...files].map(([from, to]) => [packageFile(from), `dist:${to}`]));
  return {
    name: 'files',
    async resolveId(name, importer) {
      if (importer === undefined || places.size === 0) return null;
      const found = await this.resolve(name, importer, { skipSelf: true });
      const id = found === null ? undefined : places.get(found.id);
      return id === undefined ? null : { id, external: true };
    },
  };
}

/** Links to packages that the source imports, or requires, in files of their own. */
function linkPackages(imported: Set<string>, required: Set<string>): Plugin {
  return {
    name: 'packages',
    resolveId(name, importer) {
      if (importer === undefined || /^(?:[./]|node:|dist:)/.test(name)) return null;
      imported.add(name);
      return { id: `dist:${packagesFolder}/${withoutExtension(name)}.js`, external: true };
    },
    transform(code) {
      if (!code.includes('createRequire(import.meta.url)')) return null;
      return code.replaceAll(/\brequire\('([\w-]+(?:\/[^']*)?)'\)/g, (_all, name: string) => {
        required.add(name);
        return `require('dist:${requiredFile}.cjs')['${name}']`;
      });
    },
  };
}

const placeLinks: Plugin = {
  name: 'links',
  renderChunk: (code, { fileName }) =>
    code.replaceAll(/"dist:([^"]+)"/g, (_all, to: string) => {
      const path = posix.relative(dirname(fileName), to);
      return JSON.stringify(path.startsWith('.') ? path : `./${path}`);
    }),
};

function withoutExtension(path: string): string {
  return path.replace(/\.js$/, '');
}
