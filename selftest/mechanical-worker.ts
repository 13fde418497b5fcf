import { validateHeaderName, validateHeaderValue } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';
import { packageFile } from '../cli/package/package-root.ts';
import { loadContract } from '../contract/index.ts';
import type { Service } from './index.ts';
import { listBaseMutations, listBases } from './mechanical/base.ts';
import { type CreateService, createLoader } from './mechanical/loader.ts';
import type { Mutation } from './mechanical/mutation.ts';
import type { Outcome, Result } from './mechanical/outcome.ts';
import type { WireResponse } from './service/behaviour.ts';
import { judgeService, readTrial } from './trial.ts';

/** The mutants of a base that a worker tries, by their numbers, one after the other. */
export interface MechanicalTask {
  readonly base: string;
  readonly numbers: readonly number[];
  readonly seed: number;
  /** Only with 240 requests: for those that survived all else. */
  readonly isLong: boolean;
}

const noon = Date.UTC(2026, 0, 5, 12);

/** The runs that a mutant has to survive; the last begins just before a minute ends. */
const runs = [{}, { exhaust: true }, { exhaust: true, startsAt: noon + 59_200 }];

/** The worker that tries mutants, and posts what became of each at once. */
const { base: name, numbers, seed, isLong }: MechanicalTask = workerData;
const base = listBases().find((each) => each.name === name);
if (!base) throw new Error(`no base has the name ${name}`);
const contract = await loadContract({ file: packageFile('openapi.yaml') });
const mutations = listBaseMutations(base);
const loader = createLoader(base);
for (const number of numbers) {
  const result: Result = { base: name, number, outcome: await tryMutant(mutations[number]) };
  parentPort?.postMessage(result, []);
}

async function tryMutant(mutation: Mutation | undefined): Promise<Outcome> {
  let create: CreateService;
  try {
    create = await loader.load(mutation);
    guard(create({}, { now: () => 0, sleep: () => Promise.resolve() }));
  } catch (error) {
    return { kind: 'not-runnable', reason: String(error) };
  }
  for (const options of isLong ? [{ requests: 240 }] : runs) {
    const serve = (time: Parameters<CreateService>[1]): Pick<Service, 'respond'> =>
      guard(create({}, time));
    const running = judgeService(contract, serve, { seed, requests: 60, latency: 17, ...options });
    const { named, broken } = await readTrial(contract, '', seed, running);
    if (broken !== undefined) return { kind: 'inconclusive', reason: broken };
    if (named.length > 0) return { kind: 'killed', limit: 'exhaust' in options, named };
  }
  return { kind: 'survived' };
}

/** A service that resets the connection where a server of Node would fall. */
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
