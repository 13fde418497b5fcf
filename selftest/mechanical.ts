import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { type MechanicalTask, type Outcome, serviceMutations } from './mechanical-worker.ts';

/** Milliseconds that a mutant may take: it hangs if it takes longer. */
const patience = 60_000;

/**
 * Of the mutants of each module, percent that the suite has to notice. The rest are equivalent, change what
 * the interface leaves open, or are of parts that only variants and mutants use.
 */
const floors: Readonly<Record<string, number>> = {
  'behaviour.ts': 90,
  'credentials.ts': 37,
  'inventory.ts': 28,
  'json.ts': 72,
  'limiter.ts': 48,
  'new-pet.ts': 55,
  'operations.ts': 66,
  'pet.ts': 90,
  'plain.ts': 72,
  'routes.ts': 61,
  'selection.ts': 53,
  'service.ts': 59,
};

/**
 * Tries every mutant that a machine makes of the independent service, and prints for each module how
 * many of them were noticed; true if these are as many as its floor demands. `only`: those with this
 * text in their name, each survivor in a line.
 */
export async function tryMechanicalMutants(
  only: string,
  seed: number,
  write: (line: string) => void,
): Promise<boolean> {
  const chosen = serviceMutations.flatMap(({ name }, number) =>
    name.includes(only) ? [number] : [],
  );
  const cores = availableParallelism();
  const parts = Array.from({ length: cores }, (_, part) =>
    chosen.filter((_number, index) => index % cores === part),
  );
  const results = await Promise.all(parts.map((numbers) => runPart({ numbers, seed })));
  const outcomes = results.flat().toSorted(([one], [other]) => one - other);
  const tried = outcomes.flatMap(([number, outcome]) => {
    const mutation = serviceMutations[number];
    return mutation && outcome !== 'not-runnable' ? [{ ...mutation, outcome }] : [];
  });
  let isGood = tried.length > 0;
  for (const [file, all] of Map.groupBy(tried, (each) => each.file)) {
    const survivors = all.filter(({ outcome }) => outcome === 'survived');
    const noticed = all.length - survivors.length;
    const percent = (100 * noticed) / all.length;
    const floor = floors[file] ?? 100;
    const isLow = only === '' && percent < floor;
    isGood &&= !isLow;
    if (only !== '') for (const { name } of survivors) write(`SURVIVED ${name}`);
    write(
      `${isLow ? 'BELOW ITS FLOOR ' : ''}${file}: ${noticed} of ${all.length} noticed, ${percent.toFixed(1)} %, floor ${floor} %`,
    );
  }
  return isGood;
}

/** Runs a worker, and another for the rest after a mutant that hangs. */
async function runPart(
  task: MechanicalTask,
): Promise<readonly (readonly [number: number, outcome: Outcome])[]> {
  if (task.numbers.length === 0) return [];
  const outcomes = await runWorker(task);
  const results = task.numbers.map((number, at) => [number, outcomes[at] ?? 'noticed'] as const);
  const rest = task.numbers.slice(outcomes.length + 1);
  return [...results.slice(0, outcomes.length + 1), ...(await runPart({ ...task, numbers: rest }))];
}

/** Resolves with what a worker came to until it was done, or hung. */
async function runWorker(task: MechanicalTask): Promise<readonly Outcome[]> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const outcomes: Outcome[] = [];
  const worker = new Worker(new URL('mechanical-worker.ts', import.meta.url), {
    workerData: { task },
  });
  const timer = setTimeout(resolve, patience);
  worker
    .on('message', (outcome: Outcome) => {
      outcomes.push(outcome);
      timer.refresh();
    })
    .once('exit', () => resolve())
    .once('error', reject);
  await promise;
  clearTimeout(timer);
  await worker.terminate();
  return outcomes;
}
