import { parentPort, workerData } from 'node:worker_threads';
import { compileDocument } from '../../contract/compile.ts';
import type { Contract } from '../../contract/contract.ts';
import { DiagnosticLog } from '../../contract/source/diagnostic.ts';
import { generateMutants } from './generate.ts';
import { FaultContext } from './layer.ts';
import { type Outcome, type TrialSettings, tryMutant } from './trial.ts';

/** The input of a thread. */
export interface WorkerTask {
  /** The parts from which a contract is compiled: compiled schemas cannot be sent to a thread. */
  readonly contract: Pick<Contract, 'document' | 'source' | 'digest' | 'inventory'>;
  readonly key: string;
  readonly settings: TrialSettings;
  /** Indexes into all generated mutants. */
  readonly mutants: readonly number[];
}

/** The outcome of a mutant, by its index. */
export type WorkerResult = readonly [mutant: number, outcome: Outcome];

/** Tries its mutants in sequence. */
async function work({ contract: parts, key, settings, mutants }: WorkerTask): Promise<void> {
  const { document, source, digest, inventory } = parts;
  const log = new DiagnosticLog({ name: source }, document);
  const compiled = compileDocument(document, log, { source, digest, judges: 'when used' });
  const contract = inventory === undefined ? compiled : Object.assign(compiled, { inventory });
  const context = new FaultContext(contract, key);
  const generated = generateMutants(contract, context, settings.deadline);
  for (const at of mutants) {
    const mutant = generated[at];
    if (mutant === undefined) continue;
    const outcome = await tryMutant(mutant, contract, context, settings);
    if (outcome === undefined) return;
    const result: WorkerResult = [at, outcome];
    parentPort?.postMessage(result, []);
  }
}

const task: WorkerTask = workerData;
await work(task);
