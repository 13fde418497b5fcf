import { describe, expect, test } from 'vitest';
import {
  type Report,
  type RunOptions,
  commonChoices,
  compareReports,
} from '../../../conformance/index.ts';
import { createMock } from '../../../mock/index.ts';
import { choicesFromReport } from '../mock/like.ts';
import { createMockJudge } from '../../../test/cli/like-mock.ts';
import { hasCode } from '../../../contract/error/petstore-error.ts';
import type { OpenQuestion } from '../../../contract/openapi/open-question.ts';
import { petstore as contract } from '../../../test/contract/petstore.ts';

/**
 * Whatever choice a mock makes, a run observes that, or several choices with that among them;
 * and a mock with the choices that the run observed does not differ in it.
 */
type Choices = Readonly<Record<string, string>>;

const judge = await createMockJudge(contract);

const canPlay = (choices: Choices): boolean => {
  try {
    return createMock(contract, { choices }).keys.length > 0;
  } catch (error) {
    if (hasCode(error, 'choice')) return false;
    throw error;
  }
};

const single = contract.openQuestions.flatMap(({ id, choices }) =>
  choices.map((choice): Choices => ({ [id]: choice.id })).filter(canPlay),
);

/** Choices for all questions by a seed: the Lehmer generator, one step for each. */
function draw(seed: number): Choices {
  let state = seed * 7919 + 1;
  const pick = ({ choices, id }: OpenQuestion): string => {
    const playable = choices.filter((choice) => canPlay({ [id]: choice.id }));
    state = (state * 48_271) % 2_147_483_647;
    return playable[state % playable.length]?.id ?? '';
  };
  return Object.fromEntries(
    contract.openQuestions.map((question) => [question.id, pick(question)]),
  );
}

const mixed = Array.from({ length: 12 }, (_, index) => draw(index + 1));

/** The observed choices of each question that was observed. */
function observedIn({ verdicts }: Report): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(
    verdicts.flatMap((verdict) =>
      verdict.kind === 'open'
        ? [[verdict.requirement.id.replace('*/open.', ''), commonChoices(verdict.observations)]]
        : [],
    ),
  );
}

const defaults: Choices = Object.fromEntries(
  contract.openQuestions.map((question) => [question.id, question.default]),
);

/** As a mock plays them: what runs alike is judged once. */
const withoutDefaults = (choices: Choices): Choices =>
  Object.fromEntries(Object.entries(choices).filter(([id, choice]) => defaults[id] !== choice));

const name = (choices: Choices): string => Object.entries(choices).join(' ').replaceAll(',', '=');

describe.for([60, 240])('observed at %d requests', (requests) => {
  const options: RunOptions = { plan: 'Free', exhaust: true, timeout: 2000, requests };

  test.for([...single, ...mixed].map((choices) => ({ name: name(choices), choices })))(
    '$name',
    async ({ choices }) => {
      const report = await judge(withoutDefaults(choices), options);
      const all = { ...defaults, ...choices };
      const observed = observedIn(report);
      const wrong = Object.entries(observed)
        .filter(([id, found]) => !found.includes(all[id] ?? ''))
        .map(([id, found]) => `${id}=${all[id]}, observed ${found.join(' or ') || 'else'}`);
      expect(wrong).toEqual([]);
      const like = choicesFromReport(contract, report);
      const other = await judge(withoutDefaults(like.choices), options);
      const { choices: differing } = compareReports(contract, report, other);
      const ids = Object.keys(observed);
      expect(differing.map(({ question }) => question).filter((id) => ids.includes(id))).toEqual(
        [],
      );
    },
  );
});
