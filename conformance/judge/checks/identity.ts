import { requirementId, type Resource } from '../../../contract/index.ts';
import type { Check } from '../trace/check.ts';
import { passed, failed, type Finding } from '../trace/finding.ts';
import { additionsOf, type Addition } from '../trace/ledger.ts';
import { firstSightings, isBefore, listingsOf, type Listing } from '../trace/population.ts';
import { renderPlain } from '../trace/trace.ts';

/**
 * Judges the identifiers of added items: assigned by the service, different from all others, also
 * under parallel requests.
 */
export const identityCheck: Check = {
  id: 'identity',
  *judge(trace) {
    for (const resource of trace.contract.resources) {
      if (!resource.create) continue;
      const additions = additionsOf(trace, resource);
      yield* judgeUnique(additions, listingsOf(trace, resource), resource.create.id);
      yield* judgeAssigned(additions, resource, resource.create.id);
    }
  },
};

function* judgeUnique(
  additions: readonly Addition[],
  listings: readonly Listing[],
  create: string,
): Generator<Finding> {
  const unique = requirementId.state(create, 'id-unique');
  const namesakes = Map.groupBy(additions, ({ answered }) => answered.id);
  const listed = firstSightings(listings);
  let repeated = false;
  for (const addition of additions) {
    const { id } = addition.answered;
    const other = takenBefore(addition, namesakes.get(id) ?? [], listed.get(id));
    const { index } = addition.reading.exchange;
    if (other === undefined) yield passed(unique, index);
    else
      yield failed(
        unique,
        index,
        'an identifier that no other item has',
        `${id}, which another item had before`,
        [other],
      );
    repeated ||= other !== undefined;
  }
  if (!repeated)
    yield* judgeParallel(additions, namesakes, requirementId.concurrency(create, 'unique'));
}

/** Index of an earlier exchange in which an item of the same identifier was seen. */
function takenBefore(
  { reading: { exchange } }: Addition,
  namesakes: readonly Addition[],
  listed: Listing | undefined,
): number | undefined {
  const twin = namesakes.find((each) => isBefore(each.reading.exchange, exchange));
  if (twin) return twin.reading.exchange.index;
  return listed && isBefore(listed.reading.exchange, exchange)
    ? listed.reading.exchange.index
    : undefined;
}

function* judgeParallel(
  additions: readonly Addition[],
  namesakes: ReadonlyMap<string, readonly Addition[]>,
  requirement: string,
): Generator<Finding> {
  for (const addition of additions) {
    const { group, index } = addition.reading.exchange;
    const { id } = addition.answered;
    if (group === undefined) continue;
    const twin = namesakes
      .get(id)
      ?.find((each) => each !== addition && each.reading.exchange.group === group);
    if (!twin) yield passed(requirement, index);
    else
      yield failed(
        requirement,
        index,
        'different identifiers for items added at the same time',
        `${id} twice`,
        [twin.reading.exchange.index],
      );
  }
}

function* judgeAssigned(
  additions: readonly Addition[],
  resource: Resource,
  create: string,
): Generator<Finding> {
  const requirement = requirementId.state(create, 'id-assigned');
  for (const { sent, answered, reading } of additions) {
    const wish = sent[resource.idProperty];
    if (wish === undefined) continue;
    const taken = answered.id === renderPlain(wish);
    if (taken)
      yield failed(
        requirement,
        reading.exchange.index,
        'an identifier of the service',
        `${renderPlain(wish)}, the one that the client sent`,
      );
    else yield passed(requirement, reading.exchange.index);
  }
}
