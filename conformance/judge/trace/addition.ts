import { isJsonObject, type JsonObject, type Resource } from '../../../contract/index.ts';
import { readItem, type Item } from './item.ts';
import { firstSightings, isBefore, listingsOf } from './listing.ts';
import { itemOf, pathIdOf, renderPlain, type Reading, type Trace } from './trace.ts';

/** An item that the suite itself had added: what it sent and what came back. */
export interface Addition {
  readonly sent: JsonObject;
  readonly answered: Item;
  readonly reading: Reading;
  /** Members that came back wrong elsewhere, and that only the response gave this item. */
  readonly untrusted?: readonly string[];
}

/** The items that valid requests of this run added and left as they were, in response order. */
export function additionsOf(trace: Trace, resource: Resource): readonly Addition[] {
  const changed = changedItems(trace, resource);
  return trace.readings.flatMap((reading) => {
    if (reading.operation.id !== resource.create?.id) return [];
    const { intent } = reading.exchange;
    const meant = intent.kind === 'valid' || intent.kind === 'open';
    const answered = readItem(itemOf(reading), resource);
    if (!meant || answered === undefined || !isJsonObject(reading.sent) || changed.has(answered.id))
      return [];
    return [{ sent: reading.sent, answered, reading }];
  });
}

/** Identifiers of items that the run went on to replace, update or remove. */
export function changedItems(trace: Trace, resource: Resource): ReadonlySet<string> {
  const changing = new Set([resource.replace?.id, resource.update?.id, resource.remove?.id]);
  const readings = trace.readings.filter(
    (reading) => changing.has(reading.operation.id) && reading.response.status < 300,
  );
  return new Set(readings.map((reading) => pathIdOf(reading, resource) ?? ''));
}

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

/** The additions, each with the earlier exchange in which its identifier was another's. */
export function earlierOwners(
  trace: Trace,
  resource: Resource,
): ReadonlyMap<Addition, number | undefined> {
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
      return [addition, owner?.reading.exchange.index];
    }),
  );
}
