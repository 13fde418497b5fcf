import { memberOf } from './manifest.ts';

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
