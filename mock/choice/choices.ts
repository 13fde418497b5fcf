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
  refuseUnknown(contract, Object.keys(chosen));
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
      return found?.choice ?? ownChoice(kind);
    },
    answersTo: (kind) => answers.filter(({ question }) => question.kind === kind),
    choices: Object.fromEntries(answers.map(({ question, choice }) => [question.id, choice.id])),
  };
}

function ownChoice(kind: OpenQuestionKind): Choice {
  const choices = questionChoices[kind];
  return { id: choices === 'any' ? '' : choices[0], description: '', details: {} };
}

function chooseFor(question: OpenQuestion, wanted: string | undefined): Choice {
  const choice = question.choices.find(({ id }) => id === (wanted ?? question.default));
  const known = question.choices.map(({ id }) => id);
  if (choice === undefined)
    throw fault(
      `The question ${question.id} has no choice "${wanted}"; it has ${known.join(', ')}.${suggestName(wanted ?? '', known)}`,
    );
  const obstacle =
    wanted === undefined || wanted === question.default ? undefined : obstacleTo(question, wanted);
  if (obstacle === undefined) return choice;
  throw fault(
    `The mock cannot play the choice "${wanted}" of the question ${question.id}${obstacle}.`,
  );
}

const fault = (message: string): PetstoreError => new PetstoreError('choice', message);

/** What keeps the mock from playing a choice, as the end of a sentence; undefined for nothing. */
function obstacleTo(question: OpenQuestion, wanted: string): string | undefined {
  if (!isPlayed(question, wanted)) return '';
  const isPathless =
    question.kind === 'undescribed-operations' && question.details['paths'] === undefined;
  return isPathless ? ': the document names no paths for it (`paths` of the question)' : undefined;
}

function isPlayed(question: OpenQuestion, wanted: string): boolean {
  if (question.kind === 'unknown') return false;
  const played: readonly string[] | 'any' = questionChoices[question.kind];
  return played === 'any' || played.includes(wanted);
}

function refuseUnknown(contract: Contract, ids: readonly string[]): void {
  const known = contract.openQuestions.map(({ id }) => id);
  const unknown = ids.find((id) => !known.includes(id));
  if (unknown === undefined) return;
  const choices = known.length === 0 ? 'it leaves nothing open' : `it asks ${known.join(', ')}`;
  throw fault(
    `The document does not ask the question "${unknown}"; ${choices}.${suggestName(unknown, known)}`,
  );
}
