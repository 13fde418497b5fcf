import { memberOf, readManifest } from './manifest.ts';

/** Dependencies (no peers) that a lock file, version 3, names and lacks: `package > dependency`. */
export function missingInLock(lock: unknown): readonly string[] {
  const packages = new Map(Object.entries(Object(memberOf(lock, 'packages'))));
  return [...packages].flatMap(([path, entry]) => {
    const peers = readManifest({ dependencies: memberOf(entry, 'peerDependencies') }).dependencies;
    const names = Object.keys(readManifest(entry).dependencies).filter(
      (name) => peers[name] === undefined,
    );
    return names
      .filter((name) => !placesOf(path, name).some((place) => packages.has(place)))
      .map((name) => `${path} > ${name}`);
  });
}

/** Where Node looks for a dependency of the package at a path, the nearest first. */
function placesOf(path: string, name: string): readonly string[] {
  const parents = path === '' ? [] : path.split('/node_modules/');
  const above = parents.map((_, index) =>
    parents.slice(0, parents.length - index).join('/node_modules/'),
  );
  return [...above.map((parent) => `${parent}/node_modules/${name}`), `node_modules/${name}`];
}

/** Packages whose install script npm would run, by their place in a lock file: `node_modules/esbuild`. */
export function listInstallScripts(lock: unknown): readonly string[] {
  return listFetched(lock).flatMap(([path, entry]) =>
    memberOf(entry, 'hasInstallScript') === undefined ? [] : [path],
  );
}

/** Packages that npm would take from a registry unseen: without a SHA-512 of what it fetches. */
export function listUnpinned(lock: unknown): readonly string[] {
  return listFetched(lock).flatMap(([path, entry]) =>
    /^sha512-[A-Za-z0-9+/]{86}==$/.test(String(memberOf(entry, 'integrity'))) ? [] : [path],
  );
}

/** Packages that a lock file says where to download, by their place: `.npmrc` keeps that out. */
export function listAddressed(lock: unknown): readonly string[] {
  return listFetched(lock).flatMap(([path, entry]) =>
    memberOf(entry, 'resolved') === undefined ? [] : [path],
  );
}

/** What is in a lock file, but for this project, its workspaces and the links to them. */
function listFetched(lock: unknown): readonly (readonly [string, unknown])[] {
  return Object.entries(Object(memberOf(lock, 'packages'))).filter(
    ([path, entry]) => path.includes('node_modules/') && memberOf(entry, 'link') !== true,
  );
}
