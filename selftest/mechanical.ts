import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { type Base, listBaseMutations, listBases } from './mechanical/base.ts';
import type { Mutation } from './mechanical/mutation.ts';
import type { Outcome, Result } from './mechanical/outcome.ts';
import type { MechanicalTask } from './mechanical-worker.ts';

/** Milliseconds that a mutant may take: it hangs if it takes longer. */
const patience = 60_000;

/** Survivors of one reason. */
interface Explanation {
  /** Equivalent and why, or the sentence of the interface that leaves it open. */
  readonly reason: string;
  /** Keys of mutants, the name of their base before each. */
  readonly mutants: readonly string[];
}

interface Tried {
  readonly name: string;
  readonly mutation: Mutation;
  readonly outcome: Outcome;
}

/**
 * Tries every mutant that a machine made of the independent services, and prints what became of
 * each; true if every survivor is explained, and every explanation is of a survivor.
 */
export async function tryMechanicalMutants(only: string, seed: number): Promise<boolean> {
  const tried: Tried[] = [];
  const explanations = readExplanations();
  const explained = new Set(explanations.flatMap(({ mutants }) => mutants));
  for (const base of listBases()) {
    const found = await tryBase(base, seed, false, (name) => name.includes(only));
    const holes = new Set(
      found.flatMap(({ name, outcome }) =>
        outcome.kind === 'survived' && !explained.has(name) ? [name] : [],
      ),
    );
    const again = await tryBase(base, seed, true, (name) => holes.has(name));
    tried.push(...found.filter(({ name }) => !holes.has(name)), ...again);
  }
  return print(tried, explanations, only);
}

async function tryBase(
  base: Base,
  seed: number,
  isLong: boolean,
  isChosen: (name: string) => boolean,
): Promise<readonly Tried[]> {
  const mutations = listBaseMutations(base);
  const named = mutations.map((mutation) => ({ name: `${base.name}/${mutation.key}`, mutation }));
  const chosen = named.flatMap(({ name }, number) => (isChosen(name) ? [number] : []));
  const cores = availableParallelism();
  const parts = Array.from({ length: cores }, (_, part) =>
    chosen.filter((_number, index) => index % cores === part),
  );
  const results = await Promise.all(
    parts.map((numbers) => runPart({ base: base.name, numbers, seed, isLong })),
  );
  const outcomes = new Map(results.flat().map(({ number, outcome }) => [number, outcome]));
  return named.flatMap((each, number) => {
    const outcome = outcomes.get(number);
    return outcome ? [{ ...each, outcome }] : [];
  });
}

/** Runs a worker, and another for the rest after a mutant that hangs. */
async function runPart(task: MechanicalTask): Promise<readonly Result[]> {
  if (task.numbers.length === 0) return [];
  const results = await runWorker(task);
  const [stuck, ...rest] = task.numbers.slice(results.length);
  if (stuck === undefined) return results;
  const hung: Result = { base: task.base, number: stuck, outcome: { kind: 'hung' } };
  return [...results, hung, ...(await runPart({ ...task, numbers: rest }))];
}

/** Resolves with what a worker came to until it was done, or hung. */
async function runWorker(task: MechanicalTask): Promise<readonly Result[]> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const results: Result[] = [];
  const worker = new Worker(new URL('mechanical-worker.ts', import.meta.url), { workerData: task });
  const timer = setTimeout(resolve, patience);
  worker
    .on('message', (result: Result) => {
      results.push(result);
      timer.refresh();
    })
    .once('exit', () => resolve())
    .once('error', reject);
  await promise;
  clearTimeout(timer);
  await worker.terminate();
  return results;
}

function readExplanations(): readonly Explanation[] {
  const file = new URL('mechanical/survivors.json', import.meta.url);
  const explanations: readonly Explanation[] = JSON.parse(readFileSync(file, 'utf8'));
  return explanations;
}

function print(
  tried: readonly Tried[],
  explanations: readonly Explanation[],
  only: string,
): boolean {
  const explained = new Set(explanations.flatMap(({ mutants }) => mutants));
  const of = (kind: Outcome['kind']): readonly Tried[] =>
    tried.filter(({ outcome }) => outcome.kind === kind);
  const survived = of('survived');
  const survivors = new Set(survived.map(({ name }) => name));
  const holes = survived.filter(({ name }) => !explained.has(name));
  const outdated = [...explained].filter((name) => name.includes(only) && !survivors.has(name));
  for (const { name, mutation } of holes)
    write(`SURVIVED     ${name} (line ${mutation.line}, column ${mutation.column})`);
  for (const name of outdated) write(`OUT OF DATE  ${name}: it is found, or gone`);
  const killed = tried.filter(({ outcome }) => outcome.kind === 'killed');
  const atLimit = killed.filter(({ outcome }) => outcome.kind === 'killed' && outcome.limit);
  write(
    `Mechanical mutants: ${tried.length}. ${killed.length} killed, ${atLimit.length} of them by the drive to the limit alone; ` +
      `${of('inconclusive').length} inconclusive; ${of('hung').length} hung; ${of('not-runnable').length} not runnable.`,
  );
  write(
    `Survivors: ${survived.length}, ${survived.length - holes.length} explained; ${outdated.length} explanations out of date.`,
  );
  return tried.length > 0 && holes.length === 0 && outdated.length === 0;
}

function write(line: string): void {
  process.stdout.write(`${line}\n`);
}
