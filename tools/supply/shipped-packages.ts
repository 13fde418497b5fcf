import { readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { packageFile } from '../../cli/package/package-root.ts';
import { type JsonObject, type JsonValue, isJsonObject, parseJson } from '../../contract/index.ts';

/** How a package of others reaches the users of this one. */
export type Shipping = 'installed beside' | 'joined into dist' | 'copied into dist';

/** A package of others that the users of this one run. */
export interface ShippedPackage {
  readonly name: string;
  readonly version: string;
  /** An SPDX expression, as its `package.json` has it; empty where it has none. */
  readonly licence: string;
  /** Where it lies in the project, which is its key in the lock file: `node_modules/yaml`. */
  readonly place: string;
  /** What npm compares with what it fetches: `sha512-` and base64. */
  readonly integrity: string;
  /** Names of the packages that it depends on. */
  readonly dependencies: readonly string[];
  readonly shipping: Shipping;
}

/** The library that shows the document: a file of it is in `dist`. */
const copiedPackages = ['swagger-ui-dist'];

/**
 * The packages that users get: those that they install, those that modules of `dist` are of, and
 * those that files are copied of. In the order of their places.
 *
 * @param modules paths on this machine of all that is joined
 * @throws where one is not in the lock file with a SHA-512: nobody knows then what it is
 */
export async function loadShippedPackages(
  modules: readonly string[],
): Promise<readonly ShippedPackage[]> {
  const { dependencies } = await loadJson(packageFile('package.json'));
  const lock = objectOf((await loadJson(packageFile('package-lock.json')))['packages']);
  const places = new Map<string, Shipping>([
    ...modules
      .flatMap((path) => placeOf(path))
      .map((place) => [place, 'joined into dist'] as const),
    ...copiedPackages.map((name) => [`node_modules/${name}`, 'copied into dist'] as const),
    ...Object.keys(objectOf(dependencies)).map(
      (name) => [`node_modules/${name}`, 'installed beside'] as const,
    ),
  ]);
  const packages = [...places].map(([place, shipping]) =>
    loadPackage(place, shipping, objectOf(lock[place])),
  );
  return (await Promise.all(packages)).toSorted(byPlace);
}

/** The package that one of these depends on, as Node finds it: the nearest of that name. */
export function findDependency(
  packages: readonly ShippedPackage[],
  { place }: Pick<ShippedPackage, 'place'>,
  name: string,
): ShippedPackage | undefined {
  const end = `node_modules/${name}`;
  return packages
    .filter((each) => each.place.endsWith(end))
    .filter(
      (each) => each.place === end || `${place}/`.startsWith(each.place.slice(0, -end.length)),
    )
    .toSorted((one, other) => other.place.length - one.place.length)[0];
}

async function loadPackage(
  place: string,
  shipping: Shipping,
  entry: JsonObject,
): Promise<ShippedPackage> {
  const manifest = await loadJson(packageFile(join(place, 'package.json')));
  const [name, version, licence] = ['name', 'version', 'license'].map((key) =>
    textOf(manifest[key]),
  );
  const integrity = textOf(entry['integrity']);
  if (!integrity.startsWith('sha512-') || entry['version'] !== manifest['version'])
    throw new Error(`${place} is not what the lock file pins. Run \`npm ci\`.`);
  return {
    name: name ?? '',
    version: version ?? '',
    licence: licence ?? '',
    place,
    integrity,
    dependencies: Object.keys(objectOf(manifest['dependencies'])),
    shipping,
  };
}

/** The innermost package that a file is in: `node_modules/@scope/name`. None for one of our own. */
function placeOf(path: string): readonly string[] {
  const own = relative(packageFile('.'), path).split(sep).join('/');
  return /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(own)?.slice(0, 1) ?? [];
}

function byPlace(one: ShippedPackage, other: ShippedPackage): number {
  return one.place < other.place ? -1 : 1;
}

async function loadJson(path: string): Promise<JsonObject> {
  return objectOf(parseJson(await readFile(path, 'utf8')));
}

function objectOf(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}
