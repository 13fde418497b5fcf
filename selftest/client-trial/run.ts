import { loadChosenContract } from '../../cli/package/bundled.ts';
import { type ClientMutant, clientMutants } from '../clients/mutants.ts';
import { clientVariants } from '../clients/variants.ts';
import { type ClientTrial, tryClient } from './trial.ts';

export interface ClientSelftestOptions {
  /** Seeds 1 to this number. */
  readonly seeds: number;
  /** Only clients whose id has this text in it. */
  readonly only: string;
}

/**
 * Runs the rules against every mutant and every valid variant of a client, in simulated time, and
 * prints what they came to; true if all mutants were caught and no variant failed.
 */
export async function selftestClients(
  { seeds, only }: ClientSelftestOptions,
  write: (line: string) => void,
): Promise<boolean> {
  const contract = await loadChosenContract(undefined);
  const runs = { mutants: 0, variants: 0 };
  let [isGood, caught, alarms] = [true, 0, 0];
  const tell = (lines: readonly string[], seed: number): void => {
    isGood &&= lines.length === 0;
    for (const line of lines) write(`${line} (seed ${seed})`);
  };
  for (let seed = 1; seed <= seeds; seed += 1) {
    for (const mutant of clientMutants.filter(({ id }) => id.includes(only))) {
      const trial = await tryClient(contract, mutant.habit, seed);
      tell(judgeMutant(mutant, trial), seed);
      runs.mutants += 1;
      caught += Number(trial.failed.includes(mutant.breaks));
    }
    for (const [id, way] of Object.entries(clientVariants)) {
      if (!id.includes(only)) continue;
      const found = explainAlarm(await tryClient(contract, way, seed));
      tell(
        found.map((alarm) => `FALSE ALARM  ${id}: ${alarm}`),
        seed,
      );
      runs.variants += 1;
      alarms += Number(found.length > 0);
    }
  }
  write(`Mutants of clients: ${caught} of ${runs.mutants} caught by their own rule.`);
  write(`Valid clients: ${alarms} false alarms in ${runs.variants} runs.`);
  return isGood && runs.mutants > 0 && runs.variants > 0;
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

/** Why a valid client is not certified: what it failed, and where it did not do its work. */
export function explainAlarm({
  failed,
  badEnds,
}: Pick<ClientTrial, 'failed' | 'badEnds'>): readonly string[] {
  return [...failed, ...badEnds.map((id) => `no good end in ${id}`)];
}
