import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { Contract } from '../../contract/contract.ts';
import { planConformance } from '../../conformance/index.ts';
import { type GeneratedMutant, generateMutants } from './generate.ts';
import { Workshop } from './layer.ts';
import { startServer, targetOf } from './server.ts';
import { listFailed, type Outcome, tryMutant } from './trial.ts';
import { runInThreads } from './threads.ts';
import { generateVariants } from './variants.ts';
import type { WorkerResult, WorkerTask } from './worker.ts';

export interface MutantResult extends Outcome {
  readonly mutant: GeneratedMutant;
}

/** What the suite finds of the servers that break a contract. */
export interface Selftest {
  readonly results: readonly MutantResult[];
  /** Mutants that there are: more than were tried, of a large document. */
  readonly all: number;
  /** Requirements that a server without a fault fails in either of two runs, or with a valid habit. */
  readonly falseAlarms: readonly string[];
  /** Valid servers that were tried, with a habit each that no document forbids. */
  readonly variants: number;
  /** Most requests of each run, besides a drive to the limit. */
  readonly requests: number;
}

export interface SelftestOptions {
  readonly seed?: number | undefined;
  /** Default: those of a usual run, or as many as give every requirement that can be tested a probe. */
  readonly requests?: number | undefined;
  /** Only mutants of requirements whose id holds this text. */
  readonly only?: string | undefined;
  /** If there are more mutants, this many are tried, spread evenly over the requirements. */
  readonly most?: number | undefined;
  /** The module `worker.ts`, which threads run. Default: everything in this thread. */
  readonly worker?: string | undefined;
  /** Default: as many as there are processors, and fewer for few mutants. */
  readonly threads?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Told how many of the mutants were tried. */
  readonly onProgress?: ((tried: number, all: number) => void) | undefined;
}

/** Runs the suite against every server that can be made by breaking one requirement of a contract. */
export async function selftestContract(
  contract: Contract,
  options: SelftestOptions = {},
): Promise<Selftest> {
  const { seed = 1, only = '', most = mostMutants, signal, onProgress } = options;
  const correct = await startServer(contract, undefined);
  const key = correct.mock.keys[0]?.key ?? '';
  const workshop = new Workshop(contract, key);
  const { needed, budget } = planConformance(contract, targetOf(contract, correct.mock), { seed });
  const requests = options.requests ?? Math.max(needed, budget);
  const settings = { seed, requests, signal };
  const exhausted = await startServer(contract, undefined);
  const first = await correct.judge(settings);
  const failing = new Set([
    ...listFailed(first),
    ...listFailed(await correct.judge(settings)),
    ...listFailed(await exhausted.judge({ ...settings, exhaust: true })),
  ]);
  // A part of the mutants is asked for to look into them.
  const variants = only === '' ? generateVariants(workshop) : [];
  const alarms: string[] = [];
  for (const { habit, layer } of variants) {
    const server = await startServer(contract, workshop, layer);
    for (const id of listFailed(await server.judge(settings)))
      if (!failing.has(id)) alarms.push(`${id}, of a server that ${habit}`);
  }
  const mutants = generateMutants(contract, workshop);
  const all = [...mutants.keys()].filter((at) => mutants[at]?.requirement.id.includes(only));
  const positions = sample(all, most);
  const results: MutantResult[] = [];
  let tried = 0;
  const take = ([at, outcome]: WorkerResult): void => {
    const mutant = mutants[at];
    if (mutant) results[at] = { ...outcome, mutant };
    onProgress?.((tried += 1), positions.length);
  };
  const isConclusive = first.outcome !== 'inconclusive';
  const trial = { seed, requests, failing, isConclusive };
  const useful = Math.ceil(positions.length / leastOfThread);
  const { worker, threads = Math.min(availableParallelism(), useful) } = options;
  if (worker === undefined || threads < 2)
    for (const at of positions) {
      signal?.throwIfAborted();
      const mutant = mutants[at];
      if (mutant) take([at, await tryMutant(mutant, contract, workshop, trial)]);
    }
  else {
    const { document, source, digest, inventory } = contract;
    const parts = { document, source, digest, ...(inventory && { inventory }) };
    const start = (own: readonly number[]): Worker => {
      const workerData: WorkerTask = { contract: parts, key, settings: trial, mutants: own };
      return new Worker(worker, { workerData }).on('message', take);
    };
    await runInThreads(positions, start, { threads, signal });
  }
  return {
    results: results.flat(),
    all: all.length,
    falseAlarms: [...failing, ...alarms],
    variants: variants.length,
    requests,
  };
}

/** Mutants that are tried of a document that has more, unless the caller says otherwise. */
const mostMutants = 2000;

/** Fewer mutants than this take less time than a thread takes to start. */
const leastOfThread = 50;

/** So many of all, evenly spread. */
function sample<T>(all: readonly T[], most: number): readonly T[] {
  if (all.length <= most) return all;
  return Array.from({ length: most }, (_, at) => all[Math.floor((at * all.length) / most)]).flatMap(
    (each) => each ?? [],
  );
}
