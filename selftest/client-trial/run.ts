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
  const mutants = clientMutants.filter(({ id }) => id.includes(only));
  const variants = Object.entries(clientVariants).filter(([id]) => id.includes(only));
  const problems: string[] = [];
  for (let seed = 1; seed <= seeds; seed += 1) {
    for (const mutant of mutants) {
      const found = judgeMutant(mutant, await tryClient(contract, mutant.habit, seed));
      problems.push(...found.map((each) => `${each} (seed ${seed})`));
    }
    for (const [id, way] of variants) {
      const found = explainAlarm(await tryClient(contract, way, seed));
      if (found.length > 0) problems.push(`FALSE ALARM  ${id}: ${found.join(', ')} (seed ${seed})`);
    }
  }
  const count = (kind: string): number => problems.filter((each) => each.startsWith(kind)).length;
  const runs = mutants.length * seeds;
  for (const problem of problems) write(problem);
  write(`Mutants of clients: ${runs - count('MISSED')} of ${runs} caught by their own rule.`);
  write(`Valid clients: ${count('FALSE ALARM')} false alarms in ${variants.length * seeds} runs.`);
  return runs > 0 && variants.length > 0 && problems.length === 0;
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
