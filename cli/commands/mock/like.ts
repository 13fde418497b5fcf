import { commonChoices, type Report } from '../../../conformance/index.ts';
import { type Contract, hasCode } from '../../../contract/index.ts';
import { createMock } from '../../../mock/index.ts';

/** The choices that a report observed, and why others could not be taken, a line each. */
interface Likeness {
  readonly choices: Readonly<Record<string, string>>;
  readonly leftOut: readonly string[];
}

/** The choices by which a mock does as the server of a report did. */
export function findLikeness(contract: Contract, { verdicts }: Pick<Report, 'verdicts'>): Likeness {
  const [choices, leftOut]: [Record<string, string>, string[]] = [{}, []];
  for (const verdict of verdicts) {
    const [, question] = /^\*\/open\.(.*)$/.exec(verdict.requirement.id) ?? [];
    if (verdict.kind !== 'open' || question === undefined) continue;
    const chosen = choose(contract, question, commonChoices(verdict.observations));
    if ('reason' in chosen) leftOut.push(`${question}: ${chosen.reason}`);
    else choices[question] = chosen.choice;
  }
  return { choices, leftOut };
}

/** The document's default where it fits, else the first that fits and that the mock can make. */
function choose(
  contract: Contract,
  id: string,
  observed: readonly string[],
): { readonly choice: string } | { readonly reason: string } {
  const question = contract.openQuestions.find((one) => one.id === id);
  if (question === undefined) return { reason: 'the document does not ask this.' };
  const preset = observed.filter((choice) => choice === question.default);
  let reason = 'the server did something that is none of the choices.';
  for (const [index, choice] of [...preset, ...observed].entries()) {
    const refusal = refusalOf(contract, id, choice);
    if (refusal === undefined) return { choice };
    if (index === 0) reason = refusal;
  }
  return { reason };
}

function refusalOf(contract: Contract, id: string, choice: string): string | undefined {
  try {
    createMock(contract, { seed: {}, choices: { [id]: choice } });
    return undefined;
  } catch (error) {
    if (hasCode(error, 'choice')) return error.message;
    throw error;
  }
}
