import { registerHooks } from 'node:module';
import type { Respond } from '../service/listener.ts';
import { type Base, readModule } from './base.ts';
import { type Mutation, applyMutation } from './mutation.ts';

/** The time that a service goes by. */
interface Time {
  readonly now: () => number;
  readonly sleep: (milliseconds: number) => Promise<void>;
}

/** Creates a service that answers in process. */
export type CreateService = (options: object, time: Time) => { readonly respond: Respond };

/** Loads the modules of a base anew, one of them with a mutation; nothing is written anywhere. */
export interface Loader {
  /** Rejects for modules that cannot be loaded. */
  readonly load: (mutation: Mutation | undefined) => Promise<CreateService>;
}

/** Creates a loader; it takes part in what this thread imports from then on. */
export function createLoader({ folder, entry, files }: Base): Loader {
  const texts = new Map(files.map((file) => [file, readModule(folder, file)]));
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
  return {
    load: async (mutation) => {
      const number = mutations.push(mutation) - 1;
      const { createService }: { readonly createService: CreateService } = await import(
        `${new URL(entry, folder).href}?mutant=${number}`
      );
      return createService;
    },
  };
}
