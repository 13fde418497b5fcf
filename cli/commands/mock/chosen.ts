import type { Contract } from '../../../contract/index.ts';
import type { ChosenAnswers } from './console/chosen-answers.ts';
import type { MockArguments } from './options.ts';

/** Choices that were observed, and before them those that are asked for. Throws `PetstoreError`. */
export async function openChoices(
  contract: Contract,
  { like: file, choices }: Pick<MockArguments, 'like' | 'choices'>,
): Promise<ChosenAnswers> {
  if (file === undefined) return { choices: withoutDefaults(contract, choices), like: undefined };
  const { readLikeness } = await import('./like.ts');
  const likeness = await readLikeness(contract, file);
  const taken = Object.fromEntries(
    Object.entries(likeness.choices).filter(([question]) => choices[question] === undefined),
  );
  return {
    choices: withoutDefaults(contract, { ...taken, ...choices }),
    like: { file, taken, leftOut: likeness.leftOut },
  };
}

function withoutDefaults(
  { openQuestions }: Contract,
  choices: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const isDefault = (id: string, choice: string): boolean =>
    openQuestions.some((question) => question.id === id && question.default === choice);
  return Object.fromEntries(
    Object.entries(choices).filter(([id, choice]) => !isDefault(id, choice)),
  );
}
