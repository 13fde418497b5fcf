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
