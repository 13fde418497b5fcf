import { isJsonObject, type JsonObject } from '../../../contract/json/value.ts';
import type { Resource } from '../../../contract/resource/resource.ts';
import { isUntouched } from './change.ts';
import { readItem, type Item } from './item.ts';
import { firstSightings, isBefore, listingsOf } from './listing.ts';
import { once } from '../../memo/once.ts';
import { itemOf, renderPlain, type Reading, type Trace } from './trace.ts';

/** An item that the suite itself had added: what it sent and what came back. */
export interface Addition {
  readonly sent: JsonObject;
  readonly answered: Item;
  readonly reading: Reading;
  /** Members that came back wrong elsewhere, and that only the response gave this item. */
  readonly untrusted?: readonly string[];
}

/** The items that valid requests of this run added, in response order. */
export function additionsOf(trace: Trace, resource: Resource): readonly Addition[] {
  return trace.readings.flatMap((reading) => {
    if (reading.operation.id !== resource.create?.id) return [];
    const { intent } = reading.exchange;
    const meant = intent.kind === 'valid' || intent.kind === 'open';
    const answered = readItem(itemOf(reading), resource);
    if (!meant || answered === undefined || !isJsonObject(reading.sent)) return [];
    return [{ sent: reading.sent, answered, reading }];
  });
}

/** Whether a request of this run added an item; others may change and remove theirs. */
export function isOwn(trace: Trace, resource: Resource, id: string): boolean {
  return ownIds(trace)(resource).has(id);
}

const ownIds = once((trace: Trace) =>
  once(
    (resource: Resource): ReadonlySet<string> =>
      new Set(additionsOf(trace, resource).map(({ answered }) => answered.id)),
  ),
);

/** The items that the target added although the request had to be refused: id and exchange. */
export function wrongAdditions(trace: Trace): ReadonlyMap<string, number> {
  const added = trace.contract.resources.flatMap((resource) =>
    trace.readings.flatMap((reading) => {
      const refused =
        reading.exchange.intent.kind === 'invalid' && reading.operation.id === resource.create?.id;
      const id = refused ? itemOf(reading)?.[resource.idProperty] : undefined;
      return id === undefined ? [] : [[renderPlain(id), reading.exchange.index] as const];
    }),
  );
  return new Map(added);
}

/** Whether it was sent at the same time as other requests. */
export function isParallel({ reading }: Addition): boolean {
  return reading.exchange.group !== undefined;
}

/** An earlier exchange in which the identifier of an addition was another item's. */
export interface EarlierOwner {
  readonly exchange: number;
  /** The run removed that item, or changed it, before the addition. */
  readonly isTouched: boolean;
}

/** The additions, each with the earlier owner of its identifier. */
export function earlierOwners(
  trace: Trace,
  resource: Resource,
): ReadonlyMap<Addition, EarlierOwner | undefined> {
  const additions = additionsOf(trace, resource);
  const namesakes = Map.groupBy(additions, ({ answered }) => answered.id);
  const listed = firstSightings(listingsOf(trace, resource));
  return new Map(
    additions.map((addition) => {
      const { exchange } = addition.reading;
      const { id } = addition.answered;
      const owner = [...(namesakes.get(id) ?? []), listed.get(id)].find(
        (other) => other && isBefore(other.reading.exchange, exchange),
      );
      const isTouched = !isUntouched(trace, resource, id, exchange);
      return [addition, owner && { exchange: owner.reading.exchange.index, isTouched }];
    }),
  );
}
