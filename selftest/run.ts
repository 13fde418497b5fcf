import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { type Mutant, type Variant, changeMutants, changeVariants } from './index.ts';
import { mutants as petMutants, variants as petVariants } from './index.ts';
import { selftestClients } from './client-trial/run.ts';
import { tryMechanicalMutants } from './mechanical.ts';
import type { TrialTask } from './trial-worker.ts';
import type { Trial, Trials } from './trial.ts';

interface MutantTrial extends Trial {
  readonly mutant: Mutant;
  readonly caught: boolean;
  readonly unrelated: readonly string[];
}

const mutants: readonly Mutant[] = [...petMutants, ...changeMutants];
const variants: readonly Variant[] = [...petVariants, ...changeVariants];

const help = `Usage: npm run selftest -- [options]

Runs the suite against every mutant and every valid variant, on all cores, twice against each server:
the second run finds what the first one left behind. Prints the numbers: mutants caught, false alarms,
verdicts that changed by the second run, verdicts against their own log, requests.

  --seeds <number>     Seeds 1 to this number. Default: 1. The second run has the same seed after an
                       odd one, another seed after an even one.
  --requests <number>  Requests of each run. Default: 60.
  --only <text>        Only mutants and variants whose id has this text in it.
  --fuzz <number>      Requests of --fuzz for the mutants that need it. Default: 0, which leaves them out.
  --mechanical         Instead, every mutant that a machine makes of the service itself: each at 60 and 240
                       requests and with a drive to the limit. Prints how many of each module were
                       noticed, and fails below a floor; with --only, the survivors.
  --clients            Runs the rules for clients against mutants and valid variants of clients instead; of
                       the others only --seeds and --only count.
  --every <number>     Only the first mutant and variant of each group of that many. Default: 1.
`;

interface SelftestOptions {
  readonly seeds: number;
  readonly requests: number;
  readonly only: string;
  readonly every: number;
  readonly fuzz: number;
}

/** Runs all trials and prints them; true if all mutants were caught and no variant failed. */
async function selftest(options: SelftestOptions): Promise<boolean> {
  const twice = await runTasks(listTasks(options));
  const trials = twice.flatMap(({ first, second }) => [first, second]);
  const tried = twice.flatMap(({ first, second }) => {
    const mutant = mutants.find(({ id }) => id === first.id);
    if (mutant === undefined) return [];
    const again = readMutantTrial(mutant, second);
    const unrelated = mutant.fades === true ? [] : again.unrelated;
    const caught = again.caught || isCaughtAgain(mutant, second);
    return [readMutantTrial(mutant, first), { ...again, caught, unrelated }];
  });
  const valid = trials.filter((trial) => variants.some(({ id }) => id === trial.id));
  const isSame = printChanged(twice);
  return print(tried, valid) && isSame;
}

function listTasks({ seeds, requests, only, every, fuzz }: SelftestOptions): readonly TrialTask[] {
  const chosen = <T extends Mutant | Variant>(all: readonly T[]): readonly T[] =>
    all.filter(({ id }) => id.includes(only)).filter((_each, index) => index % every === 0);
  return Array.from({ length: seeds }, (_, index) => index + 1).flatMap((seed) => [
    ...chosen(mutants)
      .filter(({ needs }) => needs !== 'fuzz' || fuzz > 0)
      .map(({ id, needs }) => ({
        id,
        seed,
        requests: needs === 'more' ? 240 : requests,
        exhaust: needs === 'exhaust',
        fuzz: needs === 'fuzz' ? fuzz : 0,
        nextSeed: nextSeed(seed),
      })),
    ...chosen(variants).flatMap(({ id }) =>
      [false, true].map((exhaust) => ({
        id,
        seed,
        requests,
        exhaust,
        fuzz: 0,
        nextSeed: nextSeed(seed),
      })),
    ),
  ]);
}

/** The seed of the second run: the same after an odd one, another after an even one. */
const nextSeed = (seed: number): number => seed + (seed % 2 === 1 ? 0 : 1000);

/** Runs trials in as many workers as there are cores, in turns; tells them in the order of the tasks. */
async function runTasks(tasks: readonly TrialTask[]): Promise<readonly Trials[]> {
  const cores = availableParallelism();
  const run = (part: number): Promise<readonly Trials[]> =>
    runWorker(tasks.filter((_task, index) => index % cores === part));
  const parts = await Promise.all(Array.from({ length: cores }, (_, part) => run(part)));
  return tasks.flatMap((_task, index) => parts[index % cores]?.[Math.floor(index / cores)] ?? []);
}

function runWorker(tasks: readonly TrialTask[]): Promise<readonly Trials[]> {
  const { promise, resolve, reject } = Promise.withResolvers<readonly Trials[]>();
  new Worker(new URL('trial-worker.ts', import.meta.url), { workerData: tasks })
    .once('message', (trials: readonly Trials[]) => resolve(trials))
    .once('error', reject);
  return promise;
}

function isAlarm({ named, broken }: Trial): boolean {
  return named.length > 0 || broken !== undefined;
}

function readMutantTrial(mutant: Mutant, trial: Trial): MutantTrial {
  const unrelated = trial.named.filter((id) => !mutant.breaks.includes(id));
  return { ...trial, mutant, caught: trial.named.includes(mutant.breaks[0]), unrelated };
}

/** Prints what passed in one run against a server and failed in the other; true if nothing did. */
function printChanged(twice: readonly Trials[]): boolean {
  const fading = new Set(mutants.filter(({ fades }) => fades === true).map(({ id }) => id));
  const changed = twice.filter((each) => each.changed.length > 0 && !fading.has(each.first.id));
  for (const { first, changed: ids } of changed)
    write(`CHANGED      ${first.id} (seed ${first.seed}), by the second run: ${ids.join(', ')}`);
  write(`Verdicts that changed between passed and failed by the second run: ${changed.length}.`);
  return changed.length === 0;
}

/** Whether a second run is not taken in: what it names may be what the first one left behind. */
function isCaughtAgain({ breaks, fades }: Mutant, { named, isConclusive }: Trial): boolean {
  return fades === true || !isConclusive || named.some((id) => breaks.includes(id));
}

function print(tried: readonly MutantTrial[], valid: readonly Trial[]): boolean {
  const missed = tried.filter(({ caught }) => !caught);
  const loud = tried.filter(({ unrelated, caught }) => caught && unrelated.length > 0);
  const alarms = valid.filter(isAlarm);
  for (const { id, seed, mutant, broken, named } of missed) {
    const since = broken ? `, since ${broken}` : '';
    const others = named.length > 0 ? `, but ${named.join(', ')}` : '';
    write(`MISSED       ${id} (seed ${seed}): ${mutant.breaks[0]} was not named${since}${others}`);
  }
  for (const { id, seed, unrelated } of loud)
    write(`UNRELATED    ${id} (seed ${seed}): also ${unrelated.join(', ')}`);
  for (const { id, seed, broken, named } of alarms)
    write(`FALSE ALARM  ${id} (seed ${seed}): ${broken ?? named.join(', ')}`);
  const against = [...tried, ...valid].filter(({ unfounded }) => unfounded.length > 0);
  for (const { id, seed, unfounded } of against)
    write(`CONTRADICTED ${id} (seed ${seed}): ${unfounded.join('; ')}`);
  const requests = [...tried, ...valid].map((trial) => trial.requests).toSorted((a, b) => a - b);
  write(
    `Mutants: ${tried.length - missed.length} of ${tried.length} caught by their own requirement, ${loud.length} with an unrelated one beside it.`,
  );
  write(`Valid variants: ${alarms.length} false alarms in ${valid.length} runs.`);
  write(`Runs with a verdict that their own log contradicts: ${against.length}.`);
  write(
    `Requests: ${requests[Math.floor(requests.length / 2)] ?? 0} in the median run, at most ${requests.at(-1) ?? 0}.`,
  );
  const isWhole = tried.length > 0 && valid.length > 0;
  return isWhole && [...missed, ...loud, ...alarms, ...against].length === 0;
}

function write(line: string): void {
  process.stdout.write(`${line}\n`);
}

function readWhole(text: string): number {
  if (!/^\d{1,6}$/.test(text)) throw new Error(`"${text}" is no whole number`);
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
if (values.help) write(help);
else if (values.mechanical) {
  process.exitCode = (await tryMechanicalMutants(values.only, readWhole(values.seeds))) ? 0 : 1;
} else {
  const seeds = readWhole(values.seeds);
  const passed = values.clients
    ? await selftestClients({ seeds, only: values.only }, write)
    : await selftest({
        seeds,
        requests: readWhole(values.requests),
        only: values.only,
        every: readWhole(values.every),
        fuzz: readWhole(values.fuzz),
      });
  process.exitCode = passed ? 0 : 1;
}
