import { parseArgs } from 'node:util';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { packageFile } from '../cli/package/package-root.ts';
import type { Contract } from '../contract/contract.ts';
import { loadContract } from '../contract/load.ts';
import { selftestClients } from './client-trial.ts';
import { runInThreads } from './generated/threads.ts';
import {
  changeMutants,
  changeVariants,
  type Mutant,
  mutants,
  type Variant,
  variants,
} from './index.ts';
import { type Trial, type TrialOptions, runTwice } from './trial.ts';

const help = `Usage: npm run selftest -- [options]

Runs the suite against every mutant and every valid variant, on all cores, twice against each server:
the second run finds what the first one left behind. Prints what is wrong, and the numbers: mutants
caught, false alarms, verdicts that changed by the second run, verdicts against their own log, requests.

  --seeds <number>     Seeds 1 to this number. Default: 1. The second run has the same seed after an
                       odd one, another seed after an even one.
  --requests <number>  Requests of each run. Default: 60.
  --only <text>        Only mutants and variants whose id contains this text.
  --fuzz <number>      Requests of --fuzz for the mutants that need it. Default: 0, which leaves them out.
  --mechanical         Instead, every mutant that a machine makes of the service itself: each at 60 and 240
                       requests and with a drive to the limit. Prints how many were noticed, and fails
                       below a floor; with --only, the survivors.
  --clients            Runs the rules for clients against mutants and valid variants of clients instead;
                       only --seeds and --only apply.
  --every <number>     Only the first mutant and variant of each group of that many. Default: 1.
`;

/** A mutant or variant to be tried, and how; or the number of a mechanical mutant. */
type Task =
  | number
  | { readonly id: string; readonly nextSeed: number; readonly options: TrialOptions };

/** What came of a task. */
interface Result {
  readonly isMutant: boolean;
  /** What is wrong, each in a line that begins with its kind: `MISSED`. */
  readonly problems: readonly string[];
  /** Of both runs. */
  readonly requests: readonly number[];
}

interface SelftestOptions {
  readonly seeds: number;
  readonly requests: number;
  readonly only: string;
  readonly every: number;
  readonly fuzz: number;
}

/** Runs all trials and prints the results; true if there were any, all mutants were caught and no variant failed. */
async function selftest(options: SelftestOptions): Promise<boolean> {
  const results = await runTasks(listTasks(options));
  const problems = results.flatMap((each) => each.problems);
  for (const problem of problems.toSorted()) write(problem);
  const count = (kind: string): number => problems.filter((each) => each.startsWith(kind)).length;
  const runs = 2 * results.filter(({ isMutant }) => isMutant).length;
  const valid = 2 * results.length - runs;
  const requests = results.flatMap((each) => each.requests).toSorted((one, other) => one - other);
  write(
    `Mutants: ${runs - count('MISSED')} of ${runs} caught by their own requirement, ${count('UNRELATED')} with an unrelated one beside it.`,
  );
  write(`Valid variants: ${count('FALSE ALARM')} false alarms in ${valid} runs.`);
  write(`Verdicts that changed between passed and failed by the second run: ${count('CHANGED')}.`);
  write(`Verdicts that their own log contradicts: ${count('CONTRADICTED')}.`);
  write(
    `Requests: ${requests[Math.floor(requests.length / 2)] ?? 0} in the median run, at most ${requests.at(-1) ?? 0}.`,
  );
  return results.length > 0 && problems.length === 0;
}

/** Tries mechanical mutants and prints how many were noticed; false if that is below the floor. */
async function selftestMechanically({ only, every }: SelftestOptions): Promise<boolean> {
  const { mechanicalFloor, serviceMutations } = await import('./mechanical.ts');
  const tasks = serviceMutations
    .flatMap(({ name }, at) => (name.includes(only) ? [at] : []))
    .filter((_at, index) => index % every === 0);
  const results = await runTasks(tasks);
  const tried = results.filter(({ isMutant }) => isMutant).length;
  const survivors = results.flatMap(({ problems }) => problems);
  if (only !== '') for (const survivor of survivors) write(survivor);
  const percent = (100 * (tried - survivors.length)) / tried;
  write(
    `${tried - survivors.length} of ${tried} mechanical mutants noticed, ${percent.toFixed(1)} %.`,
  );
  return tried > 0 && (only !== '' || percent >= mechanicalFloor);
}

function listTasks({ seeds, requests, only, every, fuzz }: SelftestOptions): readonly Task[] {
  const chosen = <T extends Mutant | Variant>(...all: readonly T[]): readonly T[] =>
    all.filter(({ id }) => id.includes(only)).filter((_each, index) => index % every === 0);
  return Array.from({ length: seeds }, (_, index) => index + 1).flatMap((seed) => {
    const nextSeed = seed + (seed % 2 === 1 ? 0 : 1000);
    return [
      ...chosen(...mutants, ...changeMutants)
        .filter(({ needs }) => needs !== 'fuzz' || fuzz > 0)
        .map(({ id, needs }) => ({
          id,
          nextSeed,
          options: {
            seed,
            requests: needs === 'more' ? 240 : requests,
            exhaust: needs === 'exhaust',
            fuzz: needs === 'fuzz' ? fuzz : 0,
          },
        })),
      ...chosen(...variants, ...changeVariants).flatMap(({ id }) =>
        [false, true].map((exhaust) => ({ id, nextSeed, options: { seed, requests, exhaust } })),
      ),
    ];
  });
}

/** Runs this module in as many threads as there are processors. */
async function runTasks(tasks: readonly Task[]): Promise<readonly Result[]> {
  const results: Result[] = [];
  const take = (result: Result): void => void results.push(result);
  await runInThreads(tasks, (own) =>
    new Worker(new URL(import.meta.url), { workerData: own }).on('message', take),
  );
  return results;
}

/** What a thread does with its tasks, one after the other. */
async function work(tasks: readonly Task[]): Promise<void> {
  const file = packageFile('openapi.yaml');
  const petstore = await loadContract({ file });
  const overlays = [packageFile('fixtures/changes.overlay.yaml')];
  const changing = await loadContract({ file }, { overlays });
  for (const task of tasks) {
    const result =
      typeof task === 'number'
        ? await tryMechanically(petstore, task)
        : await tryTask(task, task.id.startsWith('change-') ? changing : petstore);
    parentPort?.postMessage(result, []);
  }
}

async function tryMechanically(contract: Contract, number: number): Promise<Result> {
  const { noticesMutation, serviceMutations } = await import('./mechanical.ts');
  const mutation = serviceMutations[number];
  const isNoticed = mutation && (await noticesMutation(contract, mutation, 1));
  const problems = isNoticed === false ? [`SURVIVED ${mutation?.name}`] : [];
  return { isMutant: isNoticed !== undefined, problems, requests: [] };
}

async function tryTask(
  { id, nextSeed, options }: Exclude<Task, number>,
  contract: Contract,
): Promise<Result> {
  const all = [...mutants, ...variants, ...changeMutants, ...changeVariants];
  const subject = all.find((each) => each.id === id);
  if (subject === undefined) throw new Error(`no mutant or variant has the id ${id}`);
  const { first, second, changed } = await runTwice(contract, subject, options, nextSeed);
  const problems: string[] = [];
  if ('breaks' in subject) problems.push(...judgeMutant(subject, first, second));
  else
    for (const { named, broken } of [first, second])
      if (named.length > 0 || broken !== undefined)
        problems.push(`FALSE ALARM  ${broken ?? named.join(', ')}`);
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
function judgeMutant({ breaks, fades }: Mutant, first: Trial, second: Trial): readonly string[] {
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

function write(line: string): void {
  process.stdout.write(`${line}\n`);
}

function readWhole(text: string): number {
  if (!/^\d{1,6}$/.test(text)) throw new Error(`"${text}" is not a whole number`);
  return Number(text);
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      seeds: { type: 'string', default: '1' },
      requests: { type: 'string', default: '60' },
      only: { type: 'string', default: '' },
      every: { type: 'string', default: '1' },
      fuzz: { type: 'string', default: '0' },
      clients: { type: 'boolean', default: false },
      mechanical: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return write(help);
  const { only } = values;
  const [seeds, requests, every, fuzz] = [
    readWhole(values.seeds),
    readWhole(values.requests),
    readWhole(values.every),
    readWhole(values.fuzz),
  ];
  const options = { seeds, requests, only, every, fuzz };
  const isGood = values.mechanical
    ? await selftestMechanically(options)
    : values.clients
      ? await selftestClients({ seeds, only }, write)
      : await selftest(options);
  process.exitCode = isGood ? 0 : 1;
}

await (isMainThread ? main() : work(workerData));
