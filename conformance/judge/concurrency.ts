import { requirementId, type Resource } from '../../contract/index.ts';
import { additionsOf } from './trace/addition.ts';
import { failed, passed, type Finding } from './trace/finding.ts';
import { judgeIntents } from './trace/intent.ts';
import { listingsOf } from './trace/listing.ts';
import { expectationsOf, isComplete, isParallel } from './trace/missing-addition.ts';
import { earlierOwners } from './trace/owner.ts';
import { trustedAdditions } from './trace/trusted-addition.ts';
import type { Trace } from './trace/trace.ts';
import { quote } from './trace/words.ts';

/** Judges additions that were sent at the same time: all stored, under different identifiers. */
export function* judgeConcurrency(trace: Trace): Generator<Finding> {
  yield* judgeIntents(trace, 'concurrency');
  for (const resource of trace.contract.resources) {
    yield* judgeStored(trace, resource);
    yield* judgeUnique(trace, resource);
  }
}

function* judgeStored(trace: Trace, resource: Resource): Generator<Finding> {
  const id = requirementId.concurrency(resource.create?.id ?? '', 'stored');
  const { byId } = trustedAdditions(trace, resource);
  for (const expectation of expectationsOf(listingsOf(trace, resource), byId)) {
    const { listing, expected, lost, isNeverStored } = expectation;
    const { index } = listing.reading.exchange;
    if (isComplete(expectation) && expected.some(isParallel)) yield passed(id, index);
    else if (lost !== undefined && isNeverStored) {
      const item = `an item ${quote(lost.answered.members)}`;
      const received = `${listing.size} items without it, with room for ${listing.asked}`;
      yield failed(id, index, item, received, [lost.reading.exchange.index]);
    }
  }
}

/** Says nothing where identifiers are repeated one after another too: that is no race. */
function* judgeUnique(trace: Trace, resource: Resource): Generator<Finding> {
  const owners = earlierOwners(trace, resource);
  if ([...owners.values()].some((owner) => owner !== undefined)) return;
  const id = requirementId.concurrency(resource.create?.id ?? '', 'unique');
  const additions = additionsOf(trace, resource).filter(isParallel);
  for (const addition of additions) {
    const { index, group } = addition.reading.exchange;
    const twin = additions.find(
      (each) =>
        each !== addition &&
        each.answered.id === addition.answered.id &&
        each.reading.exchange.group === group,
    );
    if (twin !== undefined) {
      const expected = 'different identifiers for items added at the same time';
      const received = `${addition.answered.id} twice`;
      yield failed(id, index, expected, received, [twin.reading.exchange.index]);
    } else yield passed(id, index);
  }
}
