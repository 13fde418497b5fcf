import type { Suite } from './predicate.ts';

/** Whether two suites come to the same verdicts over the same log. */
export function isSameSuite(one: Suite, other: Suite): boolean {
  return (
    one.name === other.name &&
    one.version === other.version &&
    one.dependencies === other.dependencies &&
    one.rules === other.rules
  );
}

/** A suite in a few words: `petstore-contract 0.1.0 (rules 1, dependencies 3f2a9c0b71d45e88)`. */
export function describeSuite({ name, version, rules, dependencies }: Suite): string {
  return `${name} ${version} (rules ${rules}, dependencies ${dependencies.slice(0, 16)})`;
}
