import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import type { SelftestRecord } from '../certificate/index.ts';
import { loadContract } from '../contract/index.ts';
import { type Fault, type Variant, faults, variants } from './index.ts';
import { packageFile } from '../cli/package/package-root.ts';
import { readSuite } from '../cli/package/suite-build.ts';
import { type Trial, runTrial } from './trial.ts';

/**
 * What the suite made of one fault: whether it was named by its own obligation, and what else was
 * named.
 */
interface FaultResult {
  readonly fault: Fault;
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

Runs the suite against every deliberate fault and every lawful variant of fixtures/, and prints the three numbers:
faults caught, false alarms, requests.

  --seeds <number>     Seeds 1 to this number. Default: 1.
  --requests <number>  Requests of each run. Default: 60.
  --only <text>        Only faults and variants whose id has this text in it.
  --deep <number>      Requests of --deep for the faults that need it. Default: 0, which leaves them out.
  --record             Writes the numbers into fixtures/selftest.json, which certificates carry.
`;

interface SelftestOptions {
  readonly seeds: number;
  readonly requests: number;
  readonly only: string;
  readonly deep: number;
  readonly isRecorded: boolean;
}

/**
 * Runs all trials and prints them; true if every fault was caught by its own name and no variant
 * failed.
 */
async function selftest(options: SelftestOptions): Promise<boolean> {
  const contract = await loadContract({ file: packageFile('openapi.yaml') });
  const chosen = <T extends { readonly id: string }>(all: readonly T[]): readonly T[] =>
    all.filter(({ id }) => id.includes(options.only));
  const faultResults: FaultResult[] = [];
  const variantResults: VariantResult[] = [];
  for (let seed = 1; seed <= options.seeds; seed += 1) {
    for (const fault of chosen(faults)) {
      if (fault.needs === 'deep' && options.deep === 0) continue;
      const requests = fault.needs === 'more' ? 240 : options.requests;
      const trial = await runTrial(contract, fault, {
        seed,
        requests,
        exhaust: fault.needs === 'exhaust',
        deep: fault.needs === 'deep' ? options.deep : 0,
      });
      faultResults.push(readFaultResult(fault, trial));
    }
    for (const variant of chosen(variants)) {
      for (const exhaust of [false, true])
        variantResults.push({
          variant,
          trial: await runTrial(contract, variant, {
            seed,
            requests: options.requests,
            exhaust,
            deep: 0,
          }),
        });
    }
  }
  if (options.isRecorded) await record(options.seeds, faultResults, variantResults);
  return print(faultResults, variantResults);
}

/** Writes down what was measured, and on which build: good numbers and bad ones. */
async function record(
  seeds: number,
  faultResults: readonly FaultResult[],
  variantResults: readonly VariantResult[],
): Promise<void> {
  const measured: SelftestRecord = {
    suite: await readSuite(),
    measuredAt: new Date().toISOString(),
    seeds,
    faults: {
      runs: faultResults.length,
      caught: faultResults.filter(({ caught }) => caught).length,
      distinct: new Set(faultResults.map(({ fault }) => fault.id)).size,
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

function readFaultResult(fault: Fault, trial: Trial): FaultResult {
  const own = new Set<string>(fault.breaks);
  return {
    fault,
    trial,
    caught: trial.named.includes(fault.breaks[0]),
    unrelated: trial.named.filter((id) => !own.has(id)),
  };
}

function print(
  faultResults: readonly FaultResult[],
  variantResults: readonly VariantResult[],
): boolean {
  const missed = faultResults.filter(({ caught }) => !caught);
  const loud = faultResults.filter(({ unrelated, caught }) => caught && unrelated.length > 0);
  const alarms = variantResults.filter(isAlarm);
  for (const { fault, trial } of missed)
    write(
      `MISSED       ${fault.id} (seed ${trial.seed}): ${fault.breaks[0]} was not named${trial.broken ? `, since ${trial.broken}` : ''}${trial.named.length > 0 ? `, but ${trial.named.join(', ')}` : ''}`,
    );
  for (const { fault, trial, unrelated } of loud)
    write(`UNRELATED    ${fault.id} (seed ${trial.seed}): also ${unrelated.join(', ')}`);
  for (const { variant, trial } of alarms)
    write(
      `FALSE ALARM  ${variant.id} (seed ${trial.seed}): ${trial.broken ?? trial.named.join(', ')}`,
    );
  const requests = [...faultResults, ...variantResults]
    .map(({ trial }) => trial.requests)
    .toSorted((a, b) => a - b);
  write(
    `Faults: ${faultResults.length - missed.length} of ${faultResults.length} caught by their own obligation, ${loud.length} with an unrelated one beside it.`,
  );
  write(`Lawful variants: ${alarms.length} false alarms in ${variantResults.length} runs.`);
  write(
    `Requests: ${requests[Math.floor(requests.length / 2)] ?? 0} in the median run, at most ${requests.at(-1) ?? 0}.`,
  );
  const tried = faultResults.length > 0 && variantResults.length > 0;
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
    deep: { type: 'string', default: '0' },
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
    deep: readWhole(values.deep),
    isRecorded: values.record,
  });
  process.exitCode = passed ? 0 : 1;
}
