import { parentPort, workerData } from 'node:worker_threads';
import { packageFile } from '../cli/package/package-root.ts';
import { loadContract } from '../contract/load.ts';
import { withChanges } from './changes/contract.ts';
import { changeMutants, changeVariants, mutants, variants } from './index.ts';
import { type Trials, compareWithCorrect, createCorrectRuns, runTwice } from './trial.ts';

/** A trial to be run: of which mutant or variant, and how. */
export interface TrialTask {
  readonly id: string;
  readonly seed: number;
  readonly requests: number;
  readonly exhaust: boolean;
  /** Requests of fuzzing; 0 for none. */
  readonly fuzz: number;
  /** The seed of the second run. */
  readonly nextSeed: number;
}

/** The worker that runs a part of the trials, and posts them when all are done. */
const tasks: readonly TrialTask[] = workerData;
const petstore = await loadContract({ file: packageFile('openapi.yaml') });
const changing = await withChanges(petstore);
const [correct, correctChanging] = [petstore, changing].map(createCorrectRuns);
const subjects = [
  ...[...mutants, ...variants].map((subject) => ({ subject, contract: petstore, correct })),
  ...[...changeMutants, ...changeVariants].map((subject) => ({
    subject,
    contract: changing,
    correct: correctChanging,
  })),
];
const results: Trials[] = [];
for (const { id, nextSeed, ...options } of tasks) {
  const found = subjects.find(({ subject }) => subject.id === id);
  if (!found) throw new Error(`no mutant or variant has the id ${id}`);
  const alone = await runTwice(found.contract, found.subject, options, nextSeed);
  const runs = 'breaks' in found.subject ? found.correct?.(options, nextSeed) : undefined;
  const trials = runs === undefined ? alone : await compareWithCorrect(alone, runs);
  const [first, second] = [trials.first, trials.second].map((trial) => ({
    ...trial,
    report: undefined,
  }));
  if (first && second) results.push({ ...trials, first, second });
}
parentPort?.postMessage(results, []);
