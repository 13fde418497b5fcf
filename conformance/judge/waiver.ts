import { isJsonObject, type Contract, type JsonValue } from '../../contract/index.ts';

/** A failure that somebody has agreed to live with for a while. */
export interface Waiver {
  /** Id of the requirement. */
  readonly requirement: string;
  readonly reason: string;
  /** Who answers for it. */
  readonly owner: string;
  /** The last day on which it holds, `YYYY-MM-DD` (UTC). */
  readonly expires: string;
}

/** A waiver file that cannot be used; the message says where and why. */
export class WaiverError extends Error {
  override readonly name = 'WaiverError';
}

/**
 * Reads waivers: an array of objects with `requirement`, `reason`, `owner` and `expires`, nothing
 * else.
 * @throws {WaiverError} for anything else, a requirement that the contract does not have, or one
 *   that is waived twice
 */
export function readWaivers(contract: Contract, value: JsonValue): readonly Waiver[] {
  if (!Array.isArray(value)) throw new WaiverError('the waivers have to be an array');
  const waivers = value.map((entry: JsonValue, index) => readWaiver(contract, entry, index));
  const twice = waivers.find(
    (waiver, index) =>
      waivers.findIndex((other) => other.requirement === waiver.requirement) !== index,
  );
  if (twice) throw new WaiverError(`${twice.requirement} is waived twice`);
  return waivers;
}

const members = ['requirement', 'reason', 'owner', 'expires'] as const;

function readWaiver(contract: Contract, entry: JsonValue, index: number): Waiver {
  const where = `waiver ${index + 1}`;
  if (!isJsonObject(entry)) throw new WaiverError(`${where} has to be an object`);
  const unknown = Object.keys(entry).find((name) => !members.some((member) => member === name));
  if (unknown !== undefined)
    throw new WaiverError(
      `${where} has an unknown member "${unknown}"; there are ${members.join(', ')}`,
    );
  const text = (name: (typeof members)[number]): string => {
    const found = entry[name];
    if (typeof found !== 'string' || found.trim() === '')
      throw new WaiverError(`${where} needs a text for "${name}"`);
    return found;
  };
  const waiver = {
    requirement: text('requirement'),
    reason: text('reason'),
    owner: text('owner'),
    expires: text('expires'),
  };
  const requirement = contract.requirements.find(({ id }) => id === waiver.requirement);
  if (!requirement)
    throw new WaiverError(
      `${where} names ${waiver.requirement}, which is no requirement of the contract`,
    );
  if (requirement.level !== 'must')
    throw new WaiverError(`${where} names ${waiver.requirement}, which never fails a run`);
  if (!isDay(waiver.expires))
    throw new WaiverError(
      `${where} expires on "${waiver.expires}", which is no day such as 2026-12-31`,
    );
  return waiver;
}

/** Whether a text is a day, `YYYY-MM-DD`. */
export function isDay(text: string): boolean {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}
