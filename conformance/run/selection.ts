import {
  families,
  type Contract,
  type Requirement,
  PetstoreError,
  suggestName,
} from '../../contract/index.ts';

/** Which requirements to judge: ids, beginnings of ids, families or operations. */
export interface Selection {
  /** Empty: all. */
  readonly only: readonly string[];
  readonly skip: readonly string[];
}

/**
 * Reads a selection.
 * @throws {PetstoreError} for a word that names no requirement, family or operation of the contract
 */
export function readSelection(
  contract: Contract,
  only: readonly string[],
  skip: readonly string[],
): Selection {
  for (const word of [...only, ...skip]) {
    if (contract.requirements.some((requirement) => matches(word, requirement))) continue;
    throw new PetstoreError(
      'target',
      `"${word}" is no requirement, family (${families.join(', ')}) or operation of the contract.${suggestName(
        word,
        contract.requirements
          .flatMap(({ id, operation }) => [operation ?? '', id])
          .concat(families),
      )}`,
    );
  }
  return { only, skip };
}

/** Whether a run is to judge a requirement. */
export function isSelected(requirement: Requirement, { only, skip }: Selection): boolean {
  const wanted = only.length === 0 || only.some((word) => matches(word, requirement));
  return wanted && !skip.some((word) => matches(word, requirement));
}

function matches(word: string, { id, family, operation }: Requirement): boolean {
  return (
    word === family ||
    word === operation ||
    id === word ||
    id.startsWith(`${word}.`) ||
    id.startsWith(`${word}/`)
  );
}
