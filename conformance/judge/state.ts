import { requirementId, type Resource } from '../../contract/index.ts';
import { judgeChangeEchoes } from './state/change-echo.ts';
import { judgeChanged } from './state/changed.ts';
import { judgeIdentifiers } from './state/identifier.ts';
import { judgeEchoes, judgeReads } from './state/member.ts';
import { judgeNotWritten } from './state/not-written.ts';
import { judged, type Finding } from './trace/finding.ts';
import { judgeIntents } from './trace/intent.ts';
import { listingsOf, type Listing } from './trace/listing.ts';
import { judgeHeld } from './state/missing-addition.ts';
import type { Trace } from './trace/trace.ts';

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
