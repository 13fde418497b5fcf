import { requirementId } from '../../contract/requirement/requirement.ts';
import type { Resource } from '../../contract/resource/resource.ts';
import { judgeChangeEchoes } from './state/change-echo.ts';
import { judgeChanged } from './state/changed.ts';
import { judgeEchoes, judgeReads } from './state/member.ts';
import { judgeHeld } from './state/missing-addition.ts';
import { judgeNotWritten } from './state/not-written.ts';
import { additionsOf, earlierOwners } from './trace/addition.ts';
import { judged, type Finding, unclear } from './trace/finding.ts';
import { judgeIntents } from './trace/intent.ts';
import { listingsOf, type Listing } from './trace/listing.ts';
import { type Trace, renderPlain } from './trace/trace.ts';

/**
 * Judges what one request says about another: items are answered, listed and read as added, with
 * identifiers of their own, and nothing of a refused request is stored.
 */
export function* judgeState(trace: Trace): Generator<Finding> {
  yield* judgeIntents(trace, 'state');
  for (const resource of trace.contract.resources) {
    for (const listing of listingsOf(trace, resource)) yield* judgeDistinct(listing, resource);
    yield* judgeEchoes(trace, resource);
    yield* judgeChangeEchoes(trace, resource);
    const listed = requirementId.state(resource.list.id, 'listed');
    yield* judgeHeld(trace, resource, listed, false);
    yield* judgeReads(trace, resource);
  }
  yield* judgeChanged(trace);
  for (const resource of trace.contract.resources) {
    yield* judgeIdentifiers(trace, resource);
    yield* judgeNotWritten(trace, resource);
  }
}

/** No identifier stands twice in one list. */
export function* judgeDistinct(
  { reading, items, ids }: Listing,
  resource: Resource,
): Generator<Finding> {
  const id = requirementId.state(resource.list.id, 'distinct');
  const { index } = reading.exchange;
  if (items.length === 0) return;
  const received = `${items.length} items with ${ids.size} different values`;
  const expected = `no \`${resource.idProperty}\` twice`;
  yield judged(ids.size === items.length, id, index, expected, received);
}

/** Judges the identifiers of added items: assigned by the service, and different from all others. */
function* judgeIdentifiers(trace: Trace, resource: Resource): Generator<Finding> {
  if (resource.create === undefined) return;
  const unique = requirementId.state(resource.create.id, 'id-unique');
  const fresh = requirementId.state(resource.create.id, 'id-fresh');
  const assigned = requirementId.state(resource.create.id, 'id-assigned');
  const additions = additionsOf(trace, resource);
  for (const [{ sent, answered, reading }, owner] of earlierOwners(trace, resource)) {
    const { index } = reading.exchange;
    const taken = `${answered.id}, which another item already had`;
    const others = owner === undefined ? [] : [owner.exchange];
    const expected = 'an identifier that no other item has';
    if (owner?.isTouched !== true)
      yield judged(owner === undefined, unique, index, expected, taken, others);
    if (resource.remove !== undefined)
      yield judged(owner?.isTouched !== true, fresh, index, expected, taken, others);
    const twin = additions.find(
      (each) => each.answered.id === answered.id && each.reading.exchange.index < index,
    );
    if (owner === undefined && twin !== undefined)
      yield unclear(unique, index, `${answered.id}, given twice at the same time`);
    const wished = sent[resource.idProperty];
    if (wished === undefined) continue;
    const wish = renderPlain(wished);
    const received = `${wish}, which the client sent`;
    yield judged(
      answered.id !== wish,
      assigned,
      index,
      'an identifier assigned by the service',
      received,
    );
  }
}
