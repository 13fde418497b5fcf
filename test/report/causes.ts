import { petstore } from '../contract/petstore.ts';
import type { RunReport } from '../../conformance/index.ts';
import type { Mutant } from '../../selftest/index.ts';
import { mutants } from '../../selftest/index.ts';
import type { Parts } from '../../selftest/service/service.ts';
import { judgeSubject } from '../../selftest/trial.ts';
import { causesOf, type Cause } from '../../report/cause/causes.ts';

/** The mutant with an id. */
export function mutantOf(id: string): Mutant {
  const mutant = mutants.find((each) => each.id === id);
  if (mutant === undefined) throw new RangeError(`no mutant has the id ${id}`);
  return mutant;
}

/** The causes in the report on a service with some parts replaced. */
export async function judgeParts(
  parts: () => Parts,
  exhaust = false,
): Promise<{ readonly report: RunReport; readonly causes: readonly Cause[] }> {
  const subject: Mutant = { id: 'parts', breaks: [''], behaviour: parts };
  const report = await judgeSubject(petstore, subject, {
    seed: 1,
    requests: 60,
    exhaust,
    isOverNetwork: false,
  });
  return { report, causes: causesOf(petstore, report.verdicts, report.exchanges) };
}

/** The requirements of a cause, in its order. */
export function idsOf({ findings }: Cause): readonly string[] {
  return findings.map(({ requirement }) => requirement.id);
}
