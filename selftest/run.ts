import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import {
  changeMutants,
  changeVariants,
  type Mutant,
  mutants,
  type Variant,
  variants,
} from './index.ts';
import { selftestClients } from './client-trial/run.ts';
import { tryMechanicalMutants } from './mechanical.ts';
import type { TrialResult, TrialTask } from './trial-worker.ts';

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
                       requests and with a drive to the limit. Prints how many of each module were
                       noticed, and fails below a floor; with --only, the survivors.
  --clients            Runs the rules for clients against mutants and valid variants of clients instead;
                       only --seeds and --only apply.
  --every <number>     Only the first mutant and variant of each group of that many. Default: 1.
`;

interface SelftestOptions {
  readonly seeds: number;
  readonly requests: number;
  readonly only: string;
  readonly every: number;
  readonly fuzz: number;
}

/** Runs all trials and prints the results; true if all mutants were caught and no variant failed. */
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
  return runs > 0 && valid > 0 && problems.length === 0;
}

function listTasks({ seeds, requests, only, every, fuzz }: SelftestOptions): readonly TrialTask[] {
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

/** Runs trials in as many workers as there are cores. */
async function runTasks(tasks: readonly TrialTask[]): Promise<readonly TrialResult[]> {
  const cores = availableParallelism();
  const parts = Array.from({ length: cores }, (_, part) =>
    runWorker(tasks.filter((_task, index) => index % cores === part)),
  );
  return (await Promise.all(parts)).flat();
}

function runWorker(tasks: readonly TrialTask[]): Promise<readonly TrialResult[]> {
  const { promise, resolve, reject } = Promise.withResolvers<readonly TrialResult[]>();
  new Worker(new URL('trial-worker.ts', import.meta.url), { workerData: tasks })
    .once('message', (results: readonly TrialResult[]) => resolve(results))
    .once('error', reject);
  return promise;
}

function write(line: string): void {
  process.stdout.write(`${line}\n`);
}

function readWhole(text: string): number {
  if (!/^\d{1,6}$/.test(text)) throw new Error(`"${text}" is not a whole number`);
  return Number(text);
}

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
const { only } = values;
const [seeds, requests, every, fuzz] = [
  readWhole(values.seeds),
  readWhole(values.requests),
  readWhole(values.every),
  readWhole(values.fuzz),
];
if (values.help) write(help);
else if (values.mechanical)
  process.exitCode = (await tryMechanicalMutants(only, seeds, write)) ? 0 : 1;
else {
  const passed = values.clients
    ? await selftestClients({ seeds, only }, write)
    : await selftest({ seeds, requests, only, every, fuzz });
  process.exitCode = passed ? 0 : 1;
}
