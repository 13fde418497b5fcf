import type { Contract } from '../../../contract/index.ts';
import type { MockArguments } from './options.ts';

/** How the mock was told to answer what the document leaves open. */
export interface ChosenAnswers {
  /** Choices other than the document's default, by question. */
  readonly choices: Readonly<Record<string, string>>;
  /** What was taken from a report; undefined where none was given. */
  readonly like: TakenAnswers | undefined;
}

/** What a report had to say, by question. */
export interface TakenAnswers {
  readonly file: string;
  /** Choices of it that the mock makes, the document's defaults included. */
  readonly taken: Readonly<Record<string, string>>;
  /** Why others could not be taken, a line each. */
  readonly leftOut: readonly string[];
}

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
