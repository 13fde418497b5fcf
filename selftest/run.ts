import { parseArgs } from 'node:util';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { packageFile } from '../cli/package/package-root.ts';
import { loadContract } from '../contract/load.ts';
import { judgeTrial, tryClient } from './client-trial.ts';
import { clientMutants } from './clients/mutants.ts';
import { clientVariants } from './clients/variants.ts';
import { runInThreads } from './generated/threads.ts';
import { changeMutants, changeVariants, type Mutant, mutants, variants } from './index.ts';
import { type Trial, runTwice } from './trial.ts';

const help = `Usage: npm run selftest -- [options]

Runs the suite against every mutant and every valid variant, on all cores, twice against each server:
the second run finds what the first one left behind. Prints what is wrong, and the numbers: mutants
caught, false alarms, verdicts that changed by the second run, verdicts against their own log, requests.

  --seeds <number>     Seeds 1 to this number. Default: 1. The second run has the same seed after an
                       odd one, another seed after an even one.
  --requests <number>  Requests of each run. Default: 60.
  --only <text>        Only mutants and variants whose id contains this text.
  --every <number>     Only the first of each group of that many. Default: 1.
  --mechanical         Instead, every mutant that a machine makes of the service itself: each at 60 and 240
                       requests and with a drive to the limit. Prints how many were noticed, and fails
                       below a floor; with --only, those that were not.
  --clients            Instead, the rules for clients against mutants and valid variants of clients.
`;

type SelftestOptions = ReturnType<typeof readOptions>;

function readOptions() {
  const { values } = parseArgs({
    options: {
      seeds: { type: 'string', default: '1' },
      requests: { type: 'string', default: '60' },
      only: { type: 'string', default: '' },
      every: { type: 'string', default: '1' },
      clients: { type: 'boolean', default: false },
      mechanical: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const { seeds, requests, every } = values;
  const numbers = [seeds, requests, every].map(Number);
  if (!numbers.every(Number.isSafeInteger)) throw new Error('A value is not a whole number.');
  const [most = 1, budget = 60, group = 1] = numbers;
  return { ...values, seeds: most, requests: budget, every: group };
}

/** The result of one seed of a mutant or a valid variant. */
interface Result {
  /** What is wrong, each in a line that begins with its kind: `MISSED`. */
  readonly problems: readonly string[];
  /** Of each run. */
  readonly requests: readonly number[];
}

/** A server or a client to try. */
interface Candidate {
  readonly id: string;
  readonly isMutant: boolean;
  /** Undefined for one that cannot be started. */
  readonly run: (seed: number) => Promise<Result | undefined>;
}

/** Lists the same candidates in each thread. */
async function listCandidates(options: SelftestOptions): Promise<readonly Candidate[]> {
  const list = options.mechanical ? listMechanical : options.clients ? listClients : listServers;
  const all = (await list(options)).filter(({ id }) => id.includes(options.only));
  return [...Map.groupBy(all, ({ isMutant }) => isMutant).values()].flatMap((group) =>
    group.filter((_each, index) => index % options.every === 0),
  );
}

async function listServers({ requests }: SelftestOptions): Promise<readonly Candidate[]> {
  const file = packageFile('openapi.yaml');
  const overlays = [packageFile('fixtures/changes.overlay.yaml')];
  const petstore = await loadContract({ file });
  const changing = await loadContract({ file }, { overlays });
  const ofMutants = [...mutants, ...changeMutants].map((subject) => {
    const { needs } = subject;
    const exhaust = needs === 'exhaust';
    const more = needs === 'more' ? { requests: 240 } : {};
    return { subject, options: { exhaust, ...more } };
  });
  const ofVariants = [...variants, ...changeVariants].flatMap((subject) =>
    [false, true].map((exhaust) => ({ subject, options: { exhaust } })),
  );
  return [...ofMutants, ...ofVariants].map(({ subject, options }): Candidate => {
    const { id } = subject;
    const isMutant = 'breaks' in subject;
    const contract = id.startsWith('change-') ? changing : petstore;
    const run = async (seed: number): Promise<Result> => {
      const nextSeed = seed + (seed % 2 === 1 ? 0 : 1000);
      const all = { requests, ...options, seed };
      const { first, second, changed } = await runTwice(contract, subject, all, nextSeed);
      const problems = [first, second].flatMap((trial, at) => [
        ...(isMutant ? judgeMutant(subject, trial, at === 1) : alarm(trial.broken, trial.named)),
        ...trial.unfounded.map((sentence) => `CONTRADICTED ${sentence}`),
      ]);
      if (!('fades' in subject))
        problems.push(...changed.map((each) => `CHANGED      by the second run: ${each}`));
      return { problems, requests: [first.requests, second.requests] };
    };
    return { id, isMutant, run };
  });
}

function alarm(broken: string | undefined, named: readonly string[]): readonly string[] {
  const said = broken ?? named.join(', ');
  return said === '' ? [] : [`FALSE ALARM  ${said}`];
}

/** In the second run, any of the requirements of a mutant counts, and so does an inconclusive run. */
function judgeMutant(
  { breaks, fades }: Mutant,
  { named, broken, report }: Trial,
  isAgain: boolean,
): readonly string[] {
  const isConclusive = report !== undefined && report.outcome !== 'inconclusive';
  const isCaught =
    named.includes(breaks[0]) ||
    (isAgain && (fades === true || !isConclusive || named.some((id) => breaks.includes(id))));
  if (!isCaught) return [`MISSED       ${breaks[0]} was not named: ${broken ?? named.join(', ')}`];
  const unrelated = named.filter((id) => !breaks.includes(id) && !(isAgain && fades === true));
  return unrelated.length === 0 ? [] : [`UNRELATED    also ${unrelated.join(', ')}`];
}

async function listClients(): Promise<readonly Candidate[]> {
  const contract = await loadContract({ file: packageFile('openapi.yaml') });
  const valid = Object.entries(clientVariants).map(([id, habit]) => ({ id, habit }));
  return [...clientMutants, ...valid].map((client) => ({
    id: client.id,
    isMutant: 'breaks' in client,
    run: async (seed) => {
      const trial = await tryClient(contract, client.habit, seed);
      return { problems: judgeTrial(client, trial), requests: [trial.requests] };
    },
  }));
}

async function listMechanical(): Promise<readonly Candidate[]> {
  const { noticesMutation, serviceMutations } = await import('./mechanical.ts');
  const contract = await loadContract({ file: packageFile('openapi.yaml') });
  return serviceMutations.map((mutation) => ({
    id: mutation.name,
    isMutant: true,
    run: async (seed) => {
      const isNoticed = await noticesMutation(contract, mutation, seed);
      return isNoticed === undefined
        ? undefined
        : { problems: isNoticed ? [] : ['MISSED      '], requests: [0] };
    },
  }));
}

/**
 * Percentage of all mechanical mutants that the suite must notice. The rest are equivalent, change what the
 * interface leaves open, or are in parts that only variants and mutants use.
 */
const mechanicalFloor = 50;

/** Tries all candidates in threads, and prints the results. */
async function selftest(options: SelftestOptions): Promise<void> {
  const candidates = await listCandidates(options);
  const problems: string[] = [];
  const requests: Record<'mutants' | 'variants', number[]> = { mutants: [], variants: [] };
  const take = ([at, result]: readonly [at: number, result: Result]): void => {
    problems.push(...result.problems);
    requests[candidates[at]?.isMutant === true ? 'mutants' : 'variants'].push(...result.requests);
  };
  await runInThreads([...candidates.keys()], (own) =>
    new Worker(new URL(import.meta.url), { workerData: own, argv: process.argv.slice(2) }).on(
      'message',
      take,
    ),
  );
  const count = (kind: string): number => problems.filter((each) => each.startsWith(kind)).length;
  const [tried, caught] = [requests.mutants.length, requests.mutants.length - count('MISSED')];
  const percent = (100 * caught) / tried;
  const all = [...requests.mutants, ...requests.variants].toSorted((one, other) => one - other);
  const { mechanical, only } = options;
  if (!mechanical || only !== '') for (const problem of problems.toSorted()) console.log(problem);
  console.log(
    [
      `Mutants: ${caught} of ${tried} caught, ${percent.toFixed(1)} %, ${count('UNRELATED')} with an unrelated failure beside their own.`,
      `Valid variants: ${count('FALSE ALARM')} false alarms in ${requests.variants.length} runs.`,
      `Verdicts that changed between passed and failed by the second run: ${count('CHANGED')}.`,
      `Verdicts that their own log contradicts: ${count('CONTRADICTED')}.`,
      `Requests: ${all[Math.floor(all.length / 2)] ?? 0} in the median run, at most ${all.at(-1) ?? 0}.`,
    ].join('\n'),
  );
  const isGood = mechanical ? only !== '' || percent >= mechanicalFloor : problems.length === 0;
  process.exitCode = all.length > 0 && isGood ? 0 : 1;
}

/** A thread tries its candidates in sequence. */
async function work(options: SelftestOptions, own: readonly number[]): Promise<void> {
  const candidates = await listCandidates(options);
  for (let seed = 1; seed <= options.seeds; seed += 1)
    for (const at of own) {
      const candidate = candidates[at];
      const result = await candidate?.run(seed);
      const problems = result?.problems.map((each) => `${each} [${candidate?.id}, seed ${seed}]`);
      if (result) parentPort?.postMessage([at, { ...result, problems }], []);
    }
}

const options = readOptions();
if (options.help) console.log(help);
else await (isMainThread ? selftest(options) : work(options, workerData));
