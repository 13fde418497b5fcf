import type { Contract } from '../../contract/contract.ts';
import type { OpenQuestion } from '../../contract/openapi/open-question.ts';
import { commonChoices, type Report, type Observation } from '../../conformance/index.ts';

/** An open question of the contract, and the behaviour of a target. */
export interface Answered {
  readonly id: string;
  readonly question: OpenQuestion | undefined;
  readonly answer: Answer | undefined;
}

export interface Answer {
  /** `clamped`; `clamped or ignored` if both fit; `something else` if no choice fits. */
  readonly name: string;
  /** Descriptions of the choices in the document, joined; empty for something else. */
  readonly description: string;
  readonly evidence: readonly Observation[];
}

/** The observed behaviour for all open questions, in the contract's order. */
export function readQuestions(report: Report, contract: Contract): readonly Answered[] {
  return report.verdicts.flatMap((verdict) => {
    if (verdict.requirement.level !== 'open') return [];
    const id = verdict.requirement.id.replace('*/open.', '');
    const question = contract.openQuestions.find((each) => each.id === id);
    const answer = verdict.kind === 'open' ? describe(verdict.observations, question) : undefined;
    return [{ id, question, answer }];
  });
}

/** The choices that fit all observations, with the evidence. */
export function describe(
  observations: readonly Observation[],
  question: OpenQuestion | undefined,
): Answer {
  const choices = commonChoices(observations);
  const chosen = question?.choices.filter(({ id }) => choices.includes(id)) ?? [];
  const byText = Map.groupBy(observations, (each) => each.evidence);
  return {
    name: choices.join(' or ') || 'something else',
    description: chosen.map(({ description }) => description).join(' Or: '),
    evidence: [...byText.values()].flatMap(([first]) => first ?? []),
  };
}
