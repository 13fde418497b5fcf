import { readFileSync, readdirSync } from 'node:fs';
import { type Mutation, listMutations } from './mutation.ts';

/** A service whose modules are mutated: every mutant of it is loaded from its entry. */
export interface Base {
  /** Kebab-case, unique. */
  readonly name: string;
  /** The folder of its modules, which ends in a slash. */
  readonly folder: URL;
  /** The module that exports `createService`. */
  readonly entry: string;
  /** The modules that answer a request in process. */
  readonly files: readonly string[];
}

/** Modules of the service that no request in process reaches, and those that mutants use alone. */
const unreached: ReadonlySet<string> = new Set(['change.ts', 'delivery.ts', 'listener.ts']);

/** Every service whose modules are mutated. */
export function listBases(): readonly Base[] {
  const folders = [
    ['plain', '../service/'],
    ['validating', '../services/validating/'],
    ['store', '../services/store/'],
  ] as const;
  return folders.map(([name, path]) => {
    const folder = new URL(path, import.meta.url);
    const modules = readdirSync(folder).filter((file) => /^[^.]+\.ts$/.test(file));
    const files = modules.filter((file) => !unreached.has(file)).toSorted();
    return { name, folder, entry: 'service.ts', files };
  });
}

/** Every mutation of the modules of a base. */
export function listBaseMutations({ folder, files }: Base): readonly Mutation[] {
  return files.flatMap((file) => listMutations(file, readModule(folder, file)));
}

/** The text of a module. */
export function readModule(folder: URL, file: string): string {
  return readFileSync(new URL(file, folder), 'utf8');
}
