import type { Contract } from '../../contract/contract.ts';
import type { OpenQuestion } from '../../contract/openapi/open-question.ts';
import { commonChoices, type Report, type Observation } from '../../conformance/index.ts';
import { showLine } from '../../page/view/visible.ts';

/** An open question of the contract, and what a target does about it. */
export interface Answered {
  readonly id: string;
  readonly question: OpenQuestion | undefined;
  readonly answer: Answer | undefined;
}

export interface Answer {
  /** `clamped`; `clamped or ignored` where both fit; `something else` where no choice does. */
  readonly name: string;
  /** What the document says of the choices, joined; empty for something else. */
  readonly description: string;
  readonly evidence: readonly Observation[];
}

/** Reads what a target does where the contract is silent, in the contract's order. */
export function readQuestions(report: Report, contract: Contract): readonly Answered[] {
  return report.verdicts.flatMap((verdict) => {
    if (verdict.requirement.level !== 'open') return [];
    const id = verdict.requirement.id.replace('*/open.', '');
    const question = contract.openQuestions.find((each) => each.id === id);
    const answer = verdict.kind === 'open' ? describe(verdict.observations, question) : undefined;
    return [{ id, question, answer }];
  });
}

/** The choices that fit all observations, and what shows them. */
export function describe(
  observations: readonly Observation[],
  question: OpenQuestion | undefined,
): Answer {
  const choices = commonChoices(observations);
  const chosen = question?.choices.filter(({ id }) => choices.includes(id)) ?? [];
  const evidence = distinct(observations);
  return {
    name: choices.join(' or ') || 'something else',
    description: chosen.map(({ description }) => description).join(' Or: '),
    evidence: choices.length > 0 ? evidence : evidence.map(nameChoices),
  };
}

/** Where no choice fits all, each observation says which ones it fits. */
function nameChoices(observation: Observation): Observation {
  const names = observation.choices.join(' or ');
  const evidence = names === '' ? observation.evidence : `${observation.evidence} (${names})`;
  return { ...observation, evidence };
}

/**
 * The observations without those that say what an earlier one said, the first of each set of choices
 * before all others.
 */
function distinct(observations: readonly Observation[]): readonly Observation[] {
  const shown = observations.map((each) => ({ ...each, evidence: showLine(each.evidence) }));
  const bySet = new Map(shown.toReversed().map((each) => [each.choices.join(), each]));
  const byText = new Map(
    [...bySet.values(), ...shown].toReversed().map((each) => [each.evidence, each]),
  );
  return [...byText.values()].toReversed();
}
