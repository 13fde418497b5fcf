import { commonChoices, type Report } from '../../../conformance/index.ts';
import type { Contract } from '../../../contract/contract.ts';
import { hasCode } from '../../../contract/error/petstore-error.ts';
import { createMock } from '../../../mock/index.ts';

/**
 * Finds the choices that make a mock behave like the server of a report: the document's default if
 * it fits the observations, else the first that fits and that the mock supports. Also returns why
 * other questions have none.
 */
export function choicesFromReport(contract: Contract, { verdicts }: Pick<Report, 'verdicts'>) {
  const [choices, leftOut]: [Record<string, string>, string[]] = [{}, []];
  for (const verdict of verdicts) {
    const [, id] = /^\*\/open\.(.*)$/.exec(verdict.requirement.id) ?? [];
    if (verdict.kind !== 'open' || id === undefined) continue;
    const question = contract.openQuestions.find((one) => one.id === id);
    const observed = commonChoices(verdict.observations);
    const preset = observed.filter((choice) => choice === question?.default);
    const candidates = [...preset, ...observed];
    const refusals = candidates.map((choice) => refusalOf(contract, id, choice));
    const choice = candidates[refusals.indexOf(undefined)];
    const [refusal = 'what the server did is not one of the choices.'] = refusals;
    if (question === undefined) leftOut.push(`${id}: the document has no such question.`);
    else if (choice === undefined) leftOut.push(`${id}: ${refusal}`);
    else choices[id] = choice;
  }
  return { choices, leftOut };
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
