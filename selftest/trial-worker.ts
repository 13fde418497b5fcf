import { parentPort, workerData } from 'node:worker_threads';
import { packageFile } from '../cli/package/package-root.ts';
import { loadContract } from '../contract/index.ts';
import { mutants, variants } from './index.ts';
import { type Trial, runTrial } from './trial.ts';

/** A trial to be run: of which mutant or variant, and how. */
export interface TrialTask {
  readonly id: string;
  readonly seed: number;
  readonly requests: number;
  readonly exhaust: boolean;
  /** Requests of fuzzing; 0 for none. */
  readonly fuzz: number;
}

/** The worker that runs a part of the trials, and posts them when all are done. */
const tasks: readonly TrialTask[] = workerData;
const contract = await loadContract({ file: packageFile('openapi.yaml') });
const trials: Trial[] = [];
for (const { id, ...options } of tasks) {
  const subject = [...mutants, ...variants].find((each) => each.id === id);
  if (!subject) throw new Error(`no mutant or variant has the id ${id}`);
  const trial = await runTrial(contract, subject, options);
  trials.push({ ...trial, report: undefined });
}
parentPort?.postMessage(trials, []);
