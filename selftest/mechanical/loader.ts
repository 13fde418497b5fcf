import { readFileSync, readdirSync } from 'node:fs';
import { registerHooks } from 'node:module';
import type { Respond } from '../service/listener.ts';
import { type Mutation, applyMutation, listMutations } from './mutation.ts';

/** The time that a service goes by. */
interface Time {
  readonly now: () => number;
  readonly sleep: (milliseconds: number) => Promise<void>;
}

/** Creates a service that answers in process. */
export type CreateService = (options: object, time: Time) => { readonly respond: Respond };

const folder = new URL('../service/', import.meta.url);

/** Modules of the service that no request in process reaches, and those that mutants use alone. */
const unreached: ReadonlySet<string> = new Set(['change.ts', 'delivery.ts', 'listener.ts']);

/** The texts of the modules that answer a request, by file. */
export function readModules(): ReadonlyMap<string, string> {
  const files = readdirSync(folder).filter(
    (file) => /^[^.]+\.ts$/.test(file) && !unreached.has(file),
  );
  return new Map(
    files.toSorted().map((file) => [file, readFileSync(new URL(file, folder), 'utf8')]),
  );
}

/** Every mutation of the service. */
export function listServiceMutations(): readonly Mutation[] {
  return [...readModules()].flatMap(([file, text]) => listMutations(file, text));
}

/**
 * Creates a loader of the service, one of its modules with a mutation; nothing is written anywhere. It
 * takes part in what this thread imports from then on. Rejects for modules that cannot be loaded.
 */
export function createLoader(): (mutation: Mutation | undefined) => Promise<CreateService> {
  const texts = readModules();
  const mutations: (Mutation | undefined)[] = [];
  registerHooks({
    resolve: (specifier, context, next) => {
      const found = next(specifier, context);
      const { search } = new URL(context.parentURL ?? 'file:///');
      const isOwn = search.startsWith('?mutant=') && found.url.startsWith(folder.href);
      return isOwn && !found.url.includes('?') ? { ...found, url: found.url + search } : found;
    },
    load: (url, context, next) => {
      const { searchParams, href, pathname } = new URL(url);
      const file = pathname.slice(folder.pathname.length);
      const text = texts.get(file);
      const isOwn = href.startsWith(folder.href) && searchParams.has('mutant');
      if (!isOwn || text === undefined) return next(url, context);
      const mutation = mutations[Number(searchParams.get('mutant'))];
      const source = mutation?.file === file ? applyMutation(text, mutation) : text;
      return { format: 'module-typescript', source, shortCircuit: true };
    },
  });
  return async (mutation) => {
    const number = mutations.push(mutation) - 1;
    const { createService }: { readonly createService: CreateService } = await import(
      `${new URL('service.ts', folder).href}?mutant=${number}`
    );
    return createService;
  };
}
