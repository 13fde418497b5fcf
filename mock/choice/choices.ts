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

/** What the mock chooses where a document leaves something open. */
export interface Choices {
  /** The document that leaves it open. */
  readonly contract: Contract;
  /** The choice for a kind of question at any of the JSON pointers, else the mock's own. */
  choose(kind: OpenQuestionKind, ...places: readonly string[]): Choice;
  /** The questions of a kind, with their choices. */
  answersTo(kind: OpenQuestionKind): readonly Answer[];
  /** The choice for every question of the document. */
  readonly choices: Readonly<Record<string, string>>;
}

/** The document's default choices, overruled by `chosen` (question to choice). */
export function createChoices(
  contract: Contract,
  chosen: Readonly<Record<string, string>> = {},
): Choices {
  const ids = contract.openQuestions.map(({ id }) => id);
  const unknown = Object.keys(chosen).find((id) => !ids.includes(id));
  if (unknown !== undefined) {
    const all = ids.length === 0 ? 'it leaves nothing open' : `it asks ${ids.join(', ')}`;
    throw fault(
      `The document does not ask the question "${unknown}"; ${all}.${suggestName(unknown, ids)}`,
    );
  }
  const answers = contract.openQuestions.map((question) => ({
    question,
    choice: chooseFor(question, chosen[question.id]),
  }));
  return {
    contract,
    choose(kind, ...places) {
      const found = answers.find(
        ({ question: { kind: asked, at } }) =>
          asked === kind && (places.length === 0 || places.includes(at)),
      );
      const own = questionChoices[kind];
      return found?.choice ?? { id: own === 'any' ? '' : own[0], description: '', details: {} };
    },
    answersTo: (kind) => answers.filter(({ question }) => question.kind === kind),
    choices: Object.fromEntries(answers.map(({ question, choice }) => [question.id, choice.id])),
  };
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
