import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import type { SelftestRecord } from '../certificate/index.ts';
import { loadContract } from '../contract/index.ts';
import { type Mutant, type Variant, mutants, variants } from './index.ts';
import { packageFile } from '../cli/package/package-root.ts';
import { readSuite } from '../cli/package/suite.ts';
import { type Trial, runTrial } from './trial.ts';

/**
 * What the suite made of one mutant: whether it was named by its own requirement, and what else was
 * named.
 */
interface MutantResult {
  readonly mutant: Mutant;
  readonly trial: Trial;
  readonly caught: boolean;
  readonly unrelated: readonly string[];
}

/** What the suite made of one variant. */
interface VariantResult {
  readonly variant: Variant;
  readonly trial: Trial;
}

const help = `Usage: npm run selftest -- [options]

Runs the suite against every mutant and every lawful variant of fixtures/, and prints the three numbers:
mutants caught, false alarms, requests.

  --seeds <number>     Seeds 1 to this number. Default: 1.
  --requests <number>  Requests of each run. Default: 60.
  --only <text>        Only mutants and variants whose id has this text in it.
  --fuzz <number>      Requests of --fuzz for the mutants that need it. Default: 0, which leaves them out.
  --record             Writes the numbers into fixtures/selftest.json, which certificates carry.
`;

interface SelftestOptions {
  readonly seeds: number;
  readonly requests: number;
  readonly only: string;
  readonly fuzz: number;
  readonly isRecorded: boolean;
}

/**
 * Runs all trials and prints them; true if every mutant was caught by its own name and no variant
 * failed.
 */
async function selftest(options: SelftestOptions): Promise<boolean> {
  const contract = await loadContract({ file: packageFile('openapi.yaml') });
  const chosen = <T extends { readonly id: string }>(all: readonly T[]): readonly T[] =>
    all.filter(({ id }) => id.includes(options.only));
  const mutantResults: MutantResult[] = [];
  const variantResults: VariantResult[] = [];
  for (let seed = 1; seed <= options.seeds; seed += 1) {
    for (const mutant of chosen(mutants)) {
      if (mutant.needs === 'fuzz' && options.fuzz === 0) continue;
      const requests = mutant.needs === 'more' ? 240 : options.requests;
      const trial = await runTrial(contract, mutant, {
        seed,
        requests,
        exhaust: mutant.needs === 'exhaust',
        fuzz: mutant.needs === 'fuzz' ? options.fuzz : 0,
      });
      mutantResults.push(readMutantResult(mutant, trial));
    }
    for (const variant of chosen(variants)) {
      for (const exhaust of [false, true])
        variantResults.push({
          variant,
          trial: await runTrial(contract, variant, {
            seed,
            requests: options.requests,
            exhaust,
            fuzz: 0,
          }),
        });
    }
  }
  if (options.isRecorded) await record(options.seeds, mutantResults, variantResults);
  return print(mutantResults, variantResults);
}

/** Writes down what was measured, and in which version: good numbers and bad ones. */
async function record(
  seeds: number,
  mutantResults: readonly MutantResult[],
  variantResults: readonly VariantResult[],
): Promise<void> {
  const measured: SelftestRecord = {
    suite: await readSuite(),
    measuredAt: new Date().toISOString(),
    seeds,
    mutants: {
      runs: mutantResults.length,
      caught: mutantResults.filter(({ caught }) => caught).length,
      distinct: new Set(mutantResults.map(({ mutant }) => mutant.id)).size,
    },
    variants: {
      runs: variantResults.length,
      falseAlarms: variantResults.filter(isAlarm).length,
      distinct: new Set(variantResults.map(({ variant }) => variant.id)).size,
    },
  };
  await writeFile(
    packageFile('fixtures/selftest.json'),
    `${JSON.stringify(measured, undefined, 2)}\n`,
  );
}

/** A lawful server was failed, or could not be judged. */
function isAlarm({ trial }: VariantResult): boolean {
  return trial.named.length > 0 || trial.broken !== undefined;
}

function readMutantResult(mutant: Mutant, trial: Trial): MutantResult {
  const own = new Set<string>(mutant.breaks);
  return {
    mutant,
    trial,
    caught: trial.named.includes(mutant.breaks[0]),
    unrelated: trial.named.filter((id) => !own.has(id)),
  };
}

function print(
  mutantResults: readonly MutantResult[],
  variantResults: readonly VariantResult[],
): boolean {
  const missed = mutantResults.filter(({ caught }) => !caught);
  const loud = mutantResults.filter(({ unrelated, caught }) => caught && unrelated.length > 0);
  const alarms = variantResults.filter(isAlarm);
  for (const { mutant, trial } of missed)
    write(
      `MISSED       ${mutant.id} (seed ${trial.seed}): ${mutant.breaks[0]} was not named${trial.broken ? `, since ${trial.broken}` : ''}${trial.named.length > 0 ? `, but ${trial.named.join(', ')}` : ''}`,
    );
  for (const { mutant, trial, unrelated } of loud)
    write(`UNRELATED    ${mutant.id} (seed ${trial.seed}): also ${unrelated.join(', ')}`);
  for (const { variant, trial } of alarms)
    write(
      `FALSE ALARM  ${variant.id} (seed ${trial.seed}): ${trial.broken ?? trial.named.join(', ')}`,
    );
  const requests = [...mutantResults, ...variantResults]
    .map(({ trial }) => trial.requests)
    .toSorted((a, b) => a - b);
  write(
    `Mutants: ${mutantResults.length - missed.length} of ${mutantResults.length} caught by their own requirement, ${loud.length} with an unrelated one beside it.`,
  );
  write(`Lawful variants: ${alarms.length} false alarms in ${variantResults.length} runs.`);
  write(
    `Requests: ${requests[Math.floor(requests.length / 2)] ?? 0} in the median run, at most ${requests.at(-1) ?? 0}.`,
  );
  const tried = mutantResults.length > 0 && variantResults.length > 0;
  return tried && missed.length === 0 && loud.length === 0 && alarms.length === 0;
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
    fuzz: { type: 'string', default: '0' },
    record: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) write(help);
else if (values.record && values.only !== '') {
  write('--record wants the whole: leave --only out.');
  process.exitCode = 2;
} else {
  const passed = await selftest({
    seeds: readWhole(values.seeds),
    requests: readWhole(values.requests),
    only: values.only,
    fuzz: readWhole(values.fuzz),
    isRecorded: values.record,
  });
  process.exitCode = passed ? 0 : 1;
}
