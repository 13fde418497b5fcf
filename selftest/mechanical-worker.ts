import { validateHeaderName, validateHeaderValue } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';
import { packageFile } from '../cli/package/package-root.ts';
import { loadContract } from '../contract/load.ts';
import type { Service } from './index.ts';
import { type CreateService, createLoader, listServiceMutations } from './mechanical/loader.ts';
import type { Mutation } from './mechanical/mutation.ts';
import type { WireResponse } from './service/behaviour.ts';
import { judgeService, readTrial } from './trial.ts';

/** The mutants that a worker tries, by their numbers, one after the other. */
export interface MechanicalTask {
  readonly numbers: readonly number[];
  readonly seed: number;
}

/**
 * What became of a mutant: a requirement failed, the run came to no verdict, its modules cannot be loaded,
 * or nothing was noticed.
 */
export type Outcome = 'killed' | 'inconclusive' | 'not-runnable' | 'survived';

const noon = Date.UTC(2026, 0, 5, 12);

/** The runs that a mutant has to survive; the third begins just before a minute ends. */
const runs = [{}, { exhaust: true }, { exhaust: true, startsAt: noon + 59_200 }, { requests: 240 }];

/** The worker that tries mutants, and posts what became of each at once. */
const { numbers, seed }: MechanicalTask = workerData;
const contract = await loadContract({ file: packageFile('openapi.yaml') });
const mutations = listServiceMutations();
const load = createLoader();
for (const number of numbers) {
  const outcome: Outcome = await tryMutant(mutations[number]);
  parentPort?.postMessage(outcome, []);
}

async function tryMutant(mutation: Mutation | undefined): Promise<Outcome> {
  let create: CreateService;
  try {
    create = await load(mutation);
    guard(create({}, { now: () => 0, sleep: () => Promise.resolve() }));
  } catch {
    return 'not-runnable';
  }
  for (const options of runs) {
    const serve = (time: Parameters<CreateService>[1]): Pick<Service, 'respond'> =>
      guard(create({}, time));
    const running = judgeService(contract, serve, { seed, requests: 60, latency: 17, ...options });
    const { named, broken } = await readTrial(contract, '', seed, running);
    if (broken !== undefined) return 'inconclusive';
    if (named.length > 0) return 'killed';
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
