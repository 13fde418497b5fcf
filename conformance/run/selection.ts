import { listRequirements } from '../family/requirements.ts';
import { families, type Requirement } from '../judge/trace/requirement.ts';
import type { Contract } from '../../contract/contract.ts';
import { PetstoreError } from '../../contract/error/petstore-error.ts';
import { suggestName } from '../../contract/error/unknown-name.ts';

/** Which requirements to judge: ids, beginnings of ids, families or operations. */
export interface Selection {
  /** Empty: all. */
  readonly only: ReadonlySet<string>;
  readonly skip: ReadonlySet<string>;
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
  const words = [...only.map((word) => ['--only', word]), ...skip.map((word) => ['--skip', word])];
  const known = new Set(words.length === 0 ? [] : listRequirements(contract).flatMap(listWords));
  for (const [flag, word = ''] of words) {
    if (known.has(word)) continue;
    throw new PetstoreError(
      'target',
      `"${word}" is not a requirement, family (${families.join(', ')}) or operation of the contract (${flag}).${suggestName(
        word,
        listRequirements(contract)
          .flatMap(({ id, operation }) => [operation ?? '', id])
          .concat(families),
      )}`,
    );
  }
  return { only: new Set(only), skip: new Set(skip) };
}

/** Whether a run is to judge a requirement. */
export function isSelected(requirement: Requirement, { only, skip }: Selection): boolean {
  if (only.size + skip.size === 0) return true;
  const words = listWords(requirement);
  const wanted = only.size === 0 || words.some((word) => only.has(word));
  return wanted && !words.some((word) => skip.has(word));
}

/** All words that a requirement is selected by: its family, operation, id and beginnings of that. */
function listWords({ id, family, operation }: Requirement): readonly string[] {
  const ends = [...id.matchAll(/[./]/g)].map(({ index }) => index);
  const beginnings = ends.map((end) => id.slice(0, end));
  return [family, ...(operation === undefined ? [] : [operation]), id, ...beginnings];
}
