import type { JsonValue } from '../../../contract/json/value.ts';
import type { Resource } from '../../../contract/resource/resource.ts';
import { once } from '../../memo/once.ts';
import { additionsOf, type Addition } from './addition.ts';
import { comesBack, memberNames } from './item.ts';
import { firstSightings, isBefore, listingsOf } from './listing.ts';
import type { Trace } from './trace.ts';

/** The additions that later responses can be held against. */
export interface TrustedAdditions {
  /** By identifier, without those whose identifier was given twice or belonged to another item. */
  readonly byId: ReadonlyMap<string, Addition>;
  /** The identifiers that were given twice, or belonged to an item which a list had shown before. */
  readonly shared: ReadonlySet<string>;
}

/** The additions to trust: a member that came back wrong once is taken as it was sent. */
export function trustedAdditions(trace: Trace, resource: Resource): TrustedAdditions {
  const additions = additionsOf(trace, resource);
  const shared = sharedIds(trace)(resource);
  const wrong = new Set(
    additions
      .flatMap((addition) => echoesOf(addition, resource))
      .filter(({ sent, received }) => !comesBack(sent, received))
      .map(({ name }) => name),
  );
  const trusted = additions.filter(({ answered }) => !shared.has(answered.id));
  const byId = new Map(trusted.map((each) => [each.answered.id, withoutEcho(each, wrong)]));
  return { byId, shared };
}

/** The identifiers of added items that are not theirs alone. */
export const sharedIds = once((trace: Trace) =>
  once((resource: Resource): ReadonlySet<string> => {
    const sightings = firstSightings(listingsOf(trace, resource));
    const own = Map.groupBy(additionsOf(trace, resource), ({ answered }) => answered.id);
    const shared = [...own].filter(([id, [{ reading } = {}, ...others]]) => {
      const seen = sightings.get(id)?.reading.exchange;
      const isTaken = seen && reading && isBefore(seen, reading.exchange);
      return others.length > 0 || isTaken === true;
    });
    return new Set(shared.map(([id]) => id));
  }),
);

/** A member that was sent, and as it came back. */
export interface Echo {
  readonly name: string;
  readonly sent: JsonValue | undefined;
  readonly received: JsonValue | undefined;
}

/** The members that an addition was answered with; none that are missing for being malformed. */
export function echoesOf(
  { sent, answered, reading }: Addition,
  resource: Resource,
): readonly Echo[] {
  if (!reading.succeeded) return [];
  return memberNames(resource)
    .filter((name) => Object.hasOwn(sent, name))
    .map((name) => ({ name, sent: sent[name], received: answered.members[name] }))
    .filter(({ received }) => received !== undefined || answered.valid);
}

function withoutEcho(addition: Addition, wrong: ReadonlySet<string>): Addition {
  const unknown = [...wrong].filter((name) => addition.sent[name] === undefined);
  if (unknown.length === 0) return addition;
  const members = Object.fromEntries(
    Object.entries(addition.answered.members).filter(([name]) => !unknown.includes(name)),
  );
  const answered = { ...addition.answered, members, valid: false };
  return { ...addition, answered, untrusted: unknown };
}
