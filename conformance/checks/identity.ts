import { obligationId, type Resource } from '../../contract/index.ts';
import type { Check } from '../check.ts';
import { held, violated, type Finding } from '../finding.ts';
import { additionsOf, type Addition } from '../ledger.ts';
import { isBefore, listingsOf, type Listing } from '../population.ts';
import { renderPlain } from '../trace.ts';

/** Judges the identifiers of added items: assigned by the service, different from all others, also under parallel requests. */
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

function* judgeUnique(additions: readonly Addition[], listings: readonly Listing[], create: string): Generator<Finding> {
  const unique = obligationId.state(create, 'id-unique');
  let repeated = false;
  for (const addition of additions) {
    const other = takenBefore(addition, additions, listings);
    const { index } = addition.reading.exchange;
    if (other === undefined) yield held(unique, index);
    else yield violated(unique, index, 'an identifier that no other item has', `${addition.answered.id}, which another item had before`, [other]);
    repeated ||= other !== undefined;
  }
  if (!repeated) yield* judgeParallel(additions, obligationId.concurrency(create, 'unique'));
}

/** Index of an earlier exchange in which an item of the same identifier was seen. */
function takenBefore(addition: Addition, additions: readonly Addition[], listings: readonly Listing[]): number | undefined {
  const { exchange } = addition.reading;
  const twin = additions.find((each) => each.answered.id === addition.answered.id && isBefore(each.reading.exchange, exchange));
  const listing = listings.find((each) => each.ids.has(addition.answered.id) && isBefore(each.reading.exchange, exchange));
  return twin?.reading.exchange.index ?? listing?.reading.exchange.index;
}

function* judgeParallel(additions: readonly Addition[], obligation: string): Generator<Finding> {
  for (const addition of additions) {
    const { group, index } = addition.reading.exchange;
    if (group === undefined) continue;
    const twin = additions.find((each) => each !== addition && each.answered.id === addition.answered.id && each.reading.exchange.group === group);
    if (!twin) yield held(obligation, index);
    else yield violated(obligation, index, 'different identifiers for items added at the same time', `${addition.answered.id} twice`, [twin.reading.exchange.index]);
  }
}

function* judgeAssigned(additions: readonly Addition[], resource: Resource, create: string): Generator<Finding> {
  const obligation = obligationId.state(create, 'id-assigned');
  for (const { sent, answered, reading } of additions) {
    const wish = sent[resource.idProperty];
    if (wish === undefined) continue;
    const taken = answered.id === renderPlain(wish);
    if (taken) yield violated(obligation, reading.exchange.index, 'an identifier of the service', `${renderPlain(wish)}, the one that the client sent`);
    else yield held(obligation, reading.exchange.index);
  }
}
