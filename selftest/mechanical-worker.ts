import { readdirSync, readFileSync } from 'node:fs';
import { validateHeaderName, validateHeaderValue } from 'node:http';
import { registerHooks } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';
import { packageFile } from '../cli/package/package-root.ts';
import type { Contract } from '../contract/contract.ts';
import { loadContract } from '../contract/load.ts';
import type { createService, Service } from './index.ts';
import type { WireResponse } from './service/behaviour.ts';
import { judgeService, readTrial } from './trial.ts';
import { applyMutation, listMutations, type Mutation } from './mutation.ts';

/** The mutants that a worker tries, by their numbers, one after the other. */
export interface MechanicalTask {
  readonly numbers: readonly number[];
  readonly seed: number;
}

/** The suite noticed a mutant, or did not; or its modules cannot be loaded. */
export type Outcome = 'noticed' | 'survived' | 'not-runnable';

const folder = new URL('./service/', import.meta.url);

/** Modules of the service that no request in process reaches, and those that mutants use alone. */
const unreached = new Set(['change.ts', 'delivery.ts', 'listener.ts']);

/** The texts of the modules that answer a request, by file. */
const texts = new Map(
  readdirSync(folder)
    .filter((file) => /^[^.]+\.ts$/.test(file) && !unreached.has(file))
    .toSorted()
    .map((file) => [file, readFileSync(new URL(file, folder), 'utf8')]),
);

/** Every mutation of the service. */
export const serviceMutations: readonly Mutation[] = [...texts].flatMap(([file, text]) =>
  listMutations(file, text),
);

/** The runs that a mutant has to survive; the third begins just before a minute ends. */
const runs = [
  {},
  { exhaust: true },
  { exhaust: true, startsAt: Date.UTC(2026, 0, 5, 12) + 59_200 },
  { requests: 240 },
];

const { task }: { readonly task?: MechanicalTask } = workerData ?? {};
if (task !== undefined) {
  hookLoading();
  const contract = await loadContract({ file: packageFile('openapi.yaml') });
  for (const number of task.numbers)
    parentPort?.postMessage(await tryMutant(contract, number, task.seed), []);
}

/** `service.ts?mutant=5` is the service with one of its modules mutated; nothing is written anywhere. */
function hookLoading(): void {
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
      const mutation = serviceMutations[Number(searchParams.get('mutant'))];
      const source = mutation?.file === file ? applyMutation(text, mutation) : text;
      return { format: 'module-typescript', source, shortCircuit: true };
    },
  });
}

async function tryMutant(contract: Contract, number: number, seed: number): Promise<Outcome> {
  let create: (time: Parameters<typeof createService>[1]) => Pick<Service, 'respond'>;
  try {
    const url = `${new URL('service.ts', folder).href}?mutant=${number}`;
    const mutated: { readonly createService: typeof createService } = await import(url);
    create = (time) => guard(mutated.createService({}, time));
    create({ now: () => 0, sleep: () => Promise.resolve() });
  } catch {
    return 'not-runnable';
  }
  for (const options of runs) {
    const running = judgeService(contract, create, { seed, requests: 60, latency: 17, ...options });
    const { named, broken } = await readTrial(contract, running);
    if (broken !== undefined || named.length > 0) return 'noticed';
  }
  return 'survived';
}

/** A service that resets the connection where a server of Node would crash. */
function guard({ respond }: Pick<Service, 'respond'>): Pick<Service, 'respond'> {
  return {
    respond: async (request) => {
      try {
        return checkDeliverable(await respond(request));
      } catch {
        return { status: 500, headers: {}, bytes: new Uint8Array(), delivery: 'reset' };
      }
    },
  };
}

/** @throws for a response that cannot be written */
function checkDeliverable(response: WireResponse): WireResponse {
  const { status, headers, bytes } = response;
  const isStatus = Number.isInteger(status) && status >= 200 && status <= 999;
  const isWritten = bytes instanceof Uint8Array && response.delivery === 'whole';
  if (!isStatus || !isWritten) throw new TypeError('no response');
  for (const [name, value] of Object.entries(headers)) {
    validateHeaderName(name);
    validateHeaderValue(name, value);
  }
  return response;
}
