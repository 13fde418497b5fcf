import { requirementId, type Resource } from '../../contract/index.ts';
import { additionsOf, earlierOwners, isParallel } from './trace/addition.ts';
import { failed, passed, unclear, type Finding } from './trace/finding.ts';
import { judgeIntents } from './trace/intent.ts';
import { judgeHeld } from './state/missing-addition.ts';
import type { Trace } from './trace/trace.ts';

/** Judges additions that were sent at the same time: all stored, under different identifiers. */
export function* judgeConcurrency(trace: Trace): Generator<Finding> {
  yield* judgeIntents(trace, 'concurrency');
  for (const resource of trace.contract.resources) {
    const stored = requirementId.concurrency(resource.create?.id ?? '', 'stored');
    yield* judgeHeld(trace, resource, stored, true);
    yield* judgeUnique(trace, resource);
  }
}

/** Says nothing where identifiers are repeated one after another too: that is no race. */
function* judgeUnique(trace: Trace, resource: Resource): Generator<Finding> {
  const owners = earlierOwners(trace, resource);
  const id = requirementId.concurrency(resource.create?.id ?? '', 'unique');
  const repeated = [...owners].find(([, owner]) => owner !== undefined)?.[0];
  if (repeated !== undefined) {
    const reason = `${repeated.answered.id} again, one after another too`;
    yield unclear(id, repeated.reading.exchange.index, reason);
    return;
  }
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
