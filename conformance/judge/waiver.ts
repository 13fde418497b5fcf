import {
  codec,
  PetstoreError,
  suggestName,
  type Contract,
  type JsonValue,
  type TypeOf,
} from '../../contract/index.ts';

const { list, object, refine } = codec;

const text = refine(codec.text, (each) => each.trim() !== '', 'a text that is not blank');

/** A failure that somebody has agreed to live with for a while. */
export type Waiver = TypeOf<typeof waiver>;

export const waiver = object({
  /** Id of the requirement. */
  requirement: text,
  reason: text,
  /** Who answers for it. */
  owner: text,
  /** The last day on which it holds, `YYYY-MM-DD` (UTC). */
  expires: refine(text, isDay, 'a day such as 2026-12-31'),
});

/**
 * Reads waivers: a list of objects with `requirement`, `reason`, `owner` and `expires`, nothing
 * else.
 * @throws {PetstoreError} with code `shape` for anything else, with code `waiver` for a requirement
 *   that the contract does not have, that never fails a run, or that is waived twice
 */
export function readWaivers(contract: Contract, value: JsonValue): readonly Waiver[] {
  const found = list(waiver).read(value, '');
  for (const [index, { requirement: id }] of found.entries()) {
    const refuse = (reason: string): PetstoreError =>
      new PetstoreError('waiver', reason, { place: `/${index}/requirement` });
    const requirement = contract.requirements.find((each) => each.id === id);
    if (requirement === undefined)
      throw refuse(
        `waiver ${index + 1} names ${id}, which is no requirement of the contract.${suggestName(
          id,
          contract.requirements.map((each) => each.id),
        )}`,
      );
    if (requirement.level !== 'must')
      throw refuse(`waiver ${index + 1} names ${id}, which never fails a run`);
    if (found.findIndex((other) => other.requirement === id) !== index)
      throw refuse(`${id} is waived twice`);
  }
  return found;
}

/** Whether a text is a day, `YYYY-MM-DD`. */
function isDay(text: string): boolean {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}
