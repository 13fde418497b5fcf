import {
  type Choice,
  type OpenQuestion,
  type OpenQuestionKind,
  questionChoices,
} from '../../contract/openapi/open-question.ts';
import type { Contract } from '../../contract/contract.ts';
import { PetstoreError } from '../../contract/error/petstore-error.ts';
import { suggestName } from '../../contract/error/unknown-name.ts';

/** A question with the choice that the mock makes. */
export interface Answer {
  readonly question: OpenQuestion;
  readonly choice: Choice;
}

/** The mock's choices where a document leaves behaviour open. */
export class Choices {
  readonly contract: Contract;
  readonly #answers: readonly Answer[];

  /**
   * The document's default choices, with overrides (question to choice). Throws `PetstoreError`.
   */
  constructor(contract: Contract, chosen: Readonly<Record<string, string>> = {}) {
    const ids = contract.openQuestions.map(({ id }) => id);
    const unknown = Object.keys(chosen).find((id) => !ids.includes(id));
    if (unknown !== undefined) {
      const all = ids.length === 0 ? 'it leaves nothing open' : `it asks ${ids.join(', ')}`;
      throw fault(
        `The document does not ask the question "${unknown}"; ${all}.${suggestName(unknown, ids)}`,
      );
    }
    this.contract = contract;
    this.#answers = contract.openQuestions.map((question) => ({
      question,
      choice: chooseFor(question, chosen[question.id]),
    }));
  }

  /** The choice for a kind of question at any of the JSON pointers; without one, the mock's own. */
  choose(kind: OpenQuestionKind, ...places: readonly string[]): Choice {
    const found = this.answersTo(kind).find(
      ({ question }) => places.length === 0 || places.includes(question.at),
    );
    const own = questionChoices[kind];
    return found?.choice ?? { id: own === 'any' ? '' : own[0], description: '', details: {} };
  }

  answersTo(kind: OpenQuestionKind): readonly Answer[] {
    return this.#answers.filter(({ question }) => question.kind === kind);
  }

  /** The choice for every question of the document. */
  get choices(): Readonly<Record<string, string>> {
    return Object.fromEntries(
      this.#answers.map(({ question, choice }) => [question.id, choice.id]),
    );
  }
}

function chooseFor(question: OpenQuestion, wanted = question.default): Choice {
  const { id, kind, choices, details } = question;
  const choice = choices.find((one) => one.id === wanted);
  const known = choices.map((one) => one.id);
  if (choice === undefined)
    throw fault(
      `The question ${id} has no choice "${wanted}"; it has ${known.join(', ')}.${suggestName(wanted, known)}`,
    );
  const played: readonly string[] | 'any' = kind === 'unknown' ? [] : questionChoices[kind];
  const isPlayed = played === 'any' || played.includes(wanted);
  const isPathless = kind === 'undescribed-operations' && details['paths'] === undefined;
  if (wanted === question.default || (isPlayed && !isPathless)) return choice;
  const why = ': the document names no paths for it (`paths` of the question)';
  throw fault(
    `The mock cannot play the choice "${wanted}" of the question ${id}${isPlayed ? why : ''}.`,
  );
}

function fault(message: string): PetstoreError {
  return new PetstoreError('choice', message);
}
