import type { Contract, OpenQuestion } from '../../contract/index.ts';
import type { Report, Observation } from '../../conformance/index.ts';
import { showLine } from '../../view/visible.ts';

/** An open question of the contract, and what a target does about it. */
export interface Answered {
  readonly id: string;
  readonly question: OpenQuestion | undefined;
  /** Empty where nothing that was sent shows it. */
  readonly choices: readonly Chosen[];
}

export interface Chosen {
  /** Id of the choice, or `something else` where it is none of the lawful ones. */
  readonly id: string;
  readonly description: string;
  readonly evidence: readonly Observation[];
}

/** Reads what a target does where the contract is silent, in the contract's order. */
export function readQuestions(report: Report, contract: Contract): readonly Answered[] {
  return report.verdicts.flatMap((verdict) => {
    if (verdict.requirement.level !== 'open') return [];
    const id = verdict.requirement.id.replace('*/open.', '');
    const question = contract.openQuestions.find((each) => each.id === id);
    const observations = verdict.kind === 'open' ? verdict.observations : [];
    return [{ id, question, choices: groupByChoice(observations, question) }];
  });
}

/** The observations by the choice that they show, in the order in which each was seen first. */
export function groupByChoice(
  observations: readonly Observation[],
  question: OpenQuestion | undefined,
): readonly Chosen[] {
  const ids = [...new Set(observations.map(({ choice }) => choice))];
  return ids.map((id) => ({
    id: id ?? 'something else',
    description: question?.choices.find((choice) => choice.id === id)?.description ?? '',
    evidence: distinct(observations.filter(({ choice }) => choice === id)),
  }));
}

/** The observations without those that say what an earlier one said. */
function distinct(observations: readonly Observation[]): readonly Observation[] {
  const byText = new Map(
    observations
      .toReversed()
      .map((each) => [each.evidence, { ...each, evidence: showLine(each.evidence) }]),
  );
  return [...byText.values()].toReversed();
}
