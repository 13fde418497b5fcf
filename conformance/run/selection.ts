import { families, type Contract, type Obligation } from '../../contract/index.ts';
import { TargetError } from '../transport/target.ts';

/**
 * Which obligations a run is to judge: by id, by the beginning of an id, by family or by operation.
 */
export interface Selection {
  /** Empty: all. */
  readonly only: readonly string[];
  readonly skip: readonly string[];
}

/**
 * Reads a selection.
 * @throws {TargetError} for a word that names no obligation, family or operation of the contract
 */
export function readSelection(
  contract: Contract,
  only: readonly string[],
  skip: readonly string[],
): Selection {
  for (const word of [...only, ...skip]) {
    if (contract.obligations.some((obligation) => matches(word, obligation))) continue;
    throw new TargetError(
      `"${word}" is no obligation, family (${families.join(', ')}) or operation of the contract`,
    );
  }
  return { only, skip };
}

/** Whether a run is to judge an obligation. */
export function isSelected(obligation: Obligation, { only, skip }: Selection): boolean {
  const wanted = only.length === 0 || only.some((word) => matches(word, obligation));
  return wanted && !skip.some((word) => matches(word, obligation));
}

function matches(word: string, { id, family, operation }: Obligation): boolean {
  return (
    word === family ||
    word === operation ||
    id === word ||
    id.startsWith(`${word}.`) ||
    id.startsWith(`${word}/`)
  );
}
