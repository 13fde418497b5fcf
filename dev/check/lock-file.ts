/** A lock file of npm, as far as the checks read it. */
export interface LockFile {
  /** By place: `node_modules/esbuild`. */
  readonly packages: Readonly<Record<string, LockedPackage>>;
}

interface LockedPackage {
  readonly version?: string;
  readonly bin?: Readonly<Record<string, string>>;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly link?: boolean;
  readonly hasInstallScript?: boolean;
}

/** The places of packages whose install script npm would run. */
export function listInstallScripts(lock: LockFile): readonly string[] {
  return listFetched(lock, ({ hasInstallScript }) => hasInstallScript === true);
}

/** Those of packages that npm would take from a registry unseen: without a SHA-512. */
export function listUnpinned(lock: LockFile): readonly string[] {
  return listFetched(lock, ({ integrity = '' }) => !/^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity));
}

/** Those of packages with an address to download from: `.npmrc` keeps that out. */
export function listAddressed(lock: LockFile): readonly string[] {
  return listFetched(lock, ({ resolved }) => resolved !== undefined);
}

/** What is in a lock file, but for this project, its workspaces and the links to them. */
function listFetched(lock: LockFile, isWanted: (entry: LockedPackage) => boolean) {
  return Object.entries(lock.packages)
    .filter(([path, entry]) => path.includes('node_modules/') && entry.link !== true)
    .filter(([, entry]) => isWanted(entry))
    .map(([path]) => path);
}
