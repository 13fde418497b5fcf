import type { Question } from './types.ts';

/** The questions whose choice in a sandbox is not the usual one; none while that is not known. */
export function changedQuestions(
  questions: readonly Question[],
  choices: Readonly<Record<string, string>> | undefined,
): readonly Question[] {
  return questions.filter(
    ({ id, default: usual }) => choices?.[id] !== undefined && choices[id] !== usual,
  );
}
