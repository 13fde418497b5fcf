import { listRequirements, requirementsOf } from '../family/requirements.ts';
import { hash } from 'node:crypto';
import * as codec from '../../contract/json/codec.ts';
import { PetstoreError } from '../../contract/error/petstore-error.ts';
import { renderJson, type JsonValue } from '../../contract/json/value.ts';
import { suggestName } from '../../contract/error/unknown-name.ts';
import type { Contract } from '../../contract/contract.ts';
import type { TypeOf } from '../../contract/json/codec.ts';
import { cut } from './trace/words.ts';

/** Percent of the requirements that may be waived; one always may. */
export const maxWaived = 10;

export const maxWaiverDays = 366;

const { annotate, list, object, refine } = codec;

const text = refine(codec.text, (each) => each.trim() !== '', 'text that is not blank');

/** An accepted failure, with an owner and an expiry date. */
export type Waiver = TypeOf<typeof waiver>;

export const waiverMembers = {
  requirement: text,
  reason: text,
  /** Who is responsible for it. */
  owner: text,
  expires: annotate(refine(text, isDay, 'a day such as 2026-12-31'), {
    description: 'The last day on which it is valid (UTC).',
    format: 'date',
  }),
};

export const waiver = object(waiverMembers);

/**
 * Reads waivers: a list of objects with `requirement`, `reason`, `owner` and `expires`, nothing
 * else.
 * @throws {PetstoreError} with code `shape` for anything else, with code `waiver` for a requirement
 *   that the contract does not have, that never fails a run, or that is waived twice
 */
export function readWaivers(contract: Contract, value: JsonValue): readonly Waiver[] {
  const found = list(waiver).read(value, '');
  const named = new Set<string>();
  for (const [index, { requirement: id }] of found.entries()) {
    const refuse = (reason: string): PetstoreError =>
      new PetstoreError('waiver', reason, { place: `/${index}/requirement` });
    const requirement = requirementsOf(contract).get(id);
    if (requirement === undefined)
      throw refuse(
        `waiver ${index + 1} names ${cut(id)}, which is not a requirement of the contract.${suggestName(
          id,
          listRequirements(contract).map((each) => each.id),
        )}`,
      );
    if (requirement.level !== 'must')
      throw refuse(`waiver ${index + 1} names ${id}, which never fails a run`);
    if (named.has(id)) throw refuse(`${id} is waived twice`);
    named.add(id);
  }
  return found;
}

/**
 * The most waivers that a run accepts: a share of the requirements that can fail it, at least one.
 */
function maxWaivers(contract: Contract): number {
  const musts = listRequirements(contract).filter(({ level }) => level === 'must').length;
  return Math.max(1, Math.floor((musts * maxWaived) / 100));
}

/**
 * Rejects waivers if there are too many, or if one is valid for too long. `startedAt`: the start of
 * the run, milliseconds since the Unix epoch.
 * @throws {PetstoreError} with code `waiver`
 */
export function refuseUnbounded(
  contract: Contract,
  waivers: readonly Waiver[],
  startedAt: number,
): void {
  const most = maxWaivers(contract);
  if (waivers.length > most)
    throw new PetstoreError(
      'waiver',
      `there are ${waivers.length} waivers, and a run against ${contract.title} allows at most ${most}, ${maxWaived} % of the requirements that can fail it. Exclude part of the document with --skip, or use a document that describes what the server does.`,
    );
  const days = maxWaiverDays;
  const last = dayOf(startedAt + days * 86_400_000);
  const late = waivers.find(({ expires }) => expires > last);
  if (late !== undefined)
    throw new PetstoreError(
      'waiver',
      `the waiver of ${late.requirement} expires on ${late.expires}, and the longest term is ${days} days, until ${last}. Set an earlier expiry date, and renew the waiver when it expires.`,
    );
}

export function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

export function digestWaivers(waivers: readonly Waiver[]): string | undefined {
  if (waivers.length === 0) return undefined;
  return hash('sha256', renderJson(list(waiver).render(waivers)));
}

function isDay(text: string): boolean {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}
