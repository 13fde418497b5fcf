import { parentPort, workerData } from 'node:worker_threads';
import { packageFile } from '../cli/package/package-root.ts';
import type { Contract } from '../contract/contract.ts';
import { loadContract } from '../contract/load.ts';
import {
  changeMutants,
  changeVariants,
  type Mutant,
  mutants,
  type Variant,
  variants,
} from './index.ts';
import { findLessTested } from './oracle/less-tested.ts';
import { correct, type Trial, type TrialOptions, type Trials, runTwice } from './trial.ts';

/** A mutant or variant to be tried, and how. */
export interface TrialTask {
  readonly id: string;
  /** The seed of the second run. */
  readonly nextSeed: number;
  readonly options: TrialOptions;
}

export interface TrialResult {
  readonly isMutant: boolean;
  /** What is wrong, each in a line that begins with its kind: `MISSED`. */
  readonly problems: readonly string[];
  /** Of both runs. */
  readonly requests: readonly number[];
}

/** The worker that runs a part of the trials, and posts the results when all are done. */
const tasks: readonly TrialTask[] = workerData;
const file = packageFile('openapi.yaml');
const petstore = await loadContract({ file });
const overlays = [packageFile('fixtures/changes.overlay.yaml')];
const changing = await loadContract({ file }, { overlays });
const known = new Map<string, Promise<Trials>>();
const results: TrialResult[] = [];
for (const task of tasks) results.push(await tryTask(task));
parentPort?.postMessage(results, []);

async function tryTask({ id, nextSeed, options }: TrialTask): Promise<TrialResult> {
  const contract = id.startsWith('change-') ? changing : petstore;
  const all: readonly (Mutant | Variant)[] =
    contract === changing ? [...changeMutants, ...changeVariants] : [...mutants, ...variants];
  const subject = all.find((each) => each.id === id);
  if (subject === undefined) throw new Error(`no mutant or variant has the id ${id}`);
  const { first, second, changed } = await runTwice(contract, subject, options, nextSeed);
  const problems =
    'breaks' in subject
      ? [
          ...judgeMutant(subject, first, second),
          ...(await compareWithCorrect(contract, { first, second, changed }, options, nextSeed)),
        ]
      : [first, second].flatMap(({ named, broken }) =>
          named.length > 0 || broken !== undefined
            ? [`FALSE ALARM  ${broken ?? named.join(', ')}`]
            : [],
        );
  for (const { unfounded } of [first, second])
    if (unfounded.length > 0) problems.push(`CONTRADICTED ${unfounded.join('; ')}`);
  if (changed.length > 0 && !('fades' in subject))
    problems.push(`CHANGED      by the second run: ${changed.join(', ')}`);
  return {
    isMutant: 'breaks' in subject,
    problems: problems.map((problem) => `${problem} [${id}, seed ${options.seed}]`),
    requests: [first.requests, second.requests],
  };
}

/** In the second run, any of the requirements of a mutant counts, and so does an inconclusive run. */
function judgeMutant({ breaks, fades }: Mutant, first: Trial, second: Trial): string[] {
  const problems: string[] = [];
  for (const [at, { named, broken, report }] of [first, second].entries()) {
    const isAgain = at === 1;
    const isConclusive = report !== undefined && report.outcome !== 'inconclusive';
    const isCaught =
      named.includes(breaks[0]) ||
      (isAgain && (fades === true || !isConclusive || named.some((id) => breaks.includes(id))));
    const unrelated = named.filter((id) => !breaks.includes(id));
    if (!isCaught)
      problems.push(`MISSED       ${breaks[0]} was not named: ${broken ?? named.join(', ')}`);
    else if (unrelated.length > 0 && !(isAgain && fades === true))
      problems.push(`UNRELATED    also ${unrelated.join(', ')}`);
  }
  return problems;
}

/** What the server was tested less than a correct one with the same settings. */
async function compareWithCorrect(
  contract: Contract,
  trials: Trials,
  options: TrialOptions,
  nextSeed: number,
): Promise<readonly string[]> {
  const key = JSON.stringify([contract === changing, options, nextSeed]);
  const running = known.get(key) ?? runTwice(contract, correct, options, nextSeed);
  known.set(key, running);
  const good = await running;
  return (['first', 'second'] as const).flatMap((run) => {
    const [one, other] = [good[run].report, trials[run].report];
    const less = one && other ? findLessTested(one, other) : [];
    return less.map((sentence) => `CONTRADICTED ${sentence}`);
  });
}
