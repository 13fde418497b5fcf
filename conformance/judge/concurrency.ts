import { requirementId } from '../../contract/requirement/requirement.ts';
import { judgeHeld } from './state/held.ts';
import { collectionsOf, type Collection } from './trace/collection.ts';
import { failed, passed, unclear, type Finding } from './trace/finding.ts';
import { judgeIntents } from './intent.ts';
import type { Trace } from './trace/trace.ts';

/** Judges additions that were sent at the same time: all stored, under different identifiers. */
export function* judgeConcurrency(trace: Trace): Generator<Finding> {
  yield* judgeIntents(trace, 'concurrency');
  for (const collection of collectionsOf(trace)) {
    const { create } = collection.resource;
    yield* judgeHeld(collection, requirementId.concurrency(create?.id ?? '', 'stored'), true);
    yield* judgeUnique(collection);
  }
}

/** Says nothing where identifiers are repeated one after another too: that is no race. */
function* judgeUnique({ resource, additions, owners }: Collection): Generator<Finding> {
  const id = requirementId.concurrency(resource.create?.id ?? '', 'unique');
  const repeated = [...owners()].find(([, owner]) => owner !== undefined)?.[0];
  if (repeated !== undefined) {
    const reason = `${repeated.answered.id} again, one after another too`;
    yield unclear(id, repeated.reading.index, reason);
    return;
  }
  const parallel = additions.filter(({ reading }) => !reading.isAlone);
  for (const addition of parallel) {
    const { index, exchange } = addition.reading;
    const twin = parallel.find(
      (each) =>
        each !== addition &&
        each.answered.id === addition.answered.id &&
        each.reading.exchange.group === exchange.group,
    );
    if (twin !== undefined) {
      const expected = 'different identifiers for items added at the same time';
      yield failed(id, index, expected, `${addition.answered.id} twice`, [twin.reading.index]);
    } else yield passed(id, index);
  }
}
