import { readInventoryFor } from '../../cli/package/bundled.ts';
import { packageFile } from '../../cli/package/package-root.ts';
import { loadContract } from '../../contract/index.ts';
import { type ClientMutant, clientMutants } from '../clients/mutants/index.ts';
import { clientVariants } from '../clients/variants/index.ts';
import { type ClientTrial, tryClient } from './trial.ts';

export interface ClientSelftestOptions {
  /** Seeds 1 to this number. */
  readonly seeds: number;
  /** Only clients whose id has this text in it. */
  readonly only: string;
}

/** A line for each client that did not come out as it should, and the numbers. */
interface Sum {
  readonly lines: readonly string[];
  readonly runs: number;
  /** Mutants caught, or variants that failed a rule. */
  readonly found: number;
  readonly distinct: number;
}

/**
 * Runs the rules against every mutant and every lawful variant of a client, in simulated time, and
 * prints what they came to; true if all mutants were caught and no variant failed.
 */
export async function selftestClients(
  { seeds, only }: ClientSelftestOptions,
  write: (line: string) => void,
): Promise<boolean> {
  const contract = await loadContract({ file: packageFile('openapi.yaml') });
  const inventory = await readInventoryFor(contract);
  const tryAll = async <Tried extends Pick<ClientMutant, 'id' | 'client'>>(
    all: readonly Tried[],
    judge: (tried: Tried, trial: ClientTrial) => readonly string[],
    isFound: (tried: Tried, trial: ClientTrial) => boolean,
  ): Promise<Sum> => {
    const chosen = all.filter(({ id }) => id.includes(only));
    const [lines, found]: [string[], boolean[]] = [[], []];
    for (const tried of chosen)
      for (let seed = 1; seed <= seeds; seed += 1) {
        const trial = await tryClient(contract, tried.client, { inventory, seed });
        lines.push(...judge(tried, trial).map((line) => `${line} (seed ${seed})`));
        found.push(isFound(tried, trial));
      }
    const count = found.filter(Boolean).length;
    return { lines, runs: found.length, found: count, distinct: chosen.length };
  };
  const mutants = await tryAll(clientMutants, judgeMutant, ({ breaks }, { failed }) =>
    failed.includes(breaks),
  );
  const variants = await tryAll(
    clientVariants,
    ({ id }, trial) => explainAlarm(trial).map((alarm) => `FALSE ALARM  ${id}: ${alarm}`),
    (_, trial) => explainAlarm(trial).length > 0,
  );
  for (const line of [...mutants.lines, ...variants.lines]) write(line);
  write(`Mutants of clients: ${mutants.found} of ${mutants.runs} caught by their own rule.`);
  write(`Lawful clients: ${variants.found} false alarms in ${variants.runs} runs.`);
  const isWhole = mutants.runs > 0 && variants.runs > 0;
  return isWhole && mutants.lines.length + variants.lines.length === 0;
}

/** What is wrong with the verdicts on a mutant. */
export function judgeMutant(
  { id, breaks, also }: ClientMutant,
  { failed }: Pick<ClientTrial, 'failed'>,
): readonly string[] {
  const unrelated = failed.filter((rule) => rule !== breaks && !also.includes(rule));
  const missed = failed.includes(breaks) ? [] : [`MISSED       ${id}: ${breaks} was not failed`];
  const loud = unrelated.length === 0 ? [] : [`UNRELATED    ${id}: also ${unrelated.join(', ')}`];
  return [...missed, ...loud];
}

/** Why a lawful client is not certified: what it failed, and where it did not do its work. */
export function explainAlarm({
  failed,
  badEnds,
}: Pick<ClientTrial, 'failed' | 'badEnds'>): readonly string[] {
  return [...failed, ...badEnds.map((id) => `no good end in ${id}`)];
}
