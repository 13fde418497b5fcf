import { readFile } from 'node:fs/promises';
import { packageFile } from '../../cli/package/package-root.ts';
import { type JsonObject, type JsonValue, isJsonObject, parseJson } from '../../contract/index.ts';

/** What `package.json` says of the published package. */
export interface PublishedEntries {
  /** The least version of Node: `22.19.0`. */
  readonly node: string;
  /** Packages that users install beside this one: dependencies and peers. */
  readonly packages: readonly string[];
  /** The modules that users import, relative to `dist` and without `.js`. */
  readonly modules: readonly string[];
  /** Their types, relative to `dist`: `mock/index.d.ts`. */
  readonly declarations: readonly string[];
  /** The modules for browsers and workers, relative to `dist` and without `.js`: `browser/mock`. */
  readonly browserModules: readonly string[];
}

/** Reads them from `package.json` of the project. */
export async function loadPublishedEntries(): Promise<PublishedEntries> {
  const manifest = objectOf(parseJson(await readFile(packageFile('package.json'), 'utf8')));
  const targets = Object.values(objectOf(manifest['exports'])).map(objectOf);
  const named = (condition: string): readonly string[] =>
    targets.flatMap((target) => {
      const path = target[condition];
      return typeof path === 'string' && path.startsWith('./dist/') ? [path.slice(7)] : [];
    });
  const { node } = objectOf(manifest['engines']);
  return {
    node: textOf(node).replace('>=', ''),
    packages: ['dependencies', 'peerDependencies'].flatMap((kind) =>
      Object.keys(objectOf(manifest[kind])),
    ),
    modules: named('default').map(withoutExtension),
    declarations: named('types'),
    browserModules: named('browser').map(withoutExtension),
  };
}

function withoutExtension(path: string): string {
  return path.replace(/\.js$/, '');
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}

function objectOf(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}
