import { requirementId, type Drafts, draftsOf } from '../judge/trace/requirement.ts';
import { judgeHeld, saysToChange } from './state.ts';
import { collectionsOf, type Collection } from '../judge/trace/collection.ts';
import { failed, passed, unclear, type Finding } from '../judge/trace/finding.ts';
import { memberPlace } from '../judge/trace/item.ts';
import { judgeIntents } from './intent.ts';
import type { Trace } from '../judge/trace/trace.ts';
import { additionOf, idName, type Resource } from '../../contract/resource/resource.ts';

export function* listConcurrencyRequirements(resource: Resource): Drafts {
  const { create, replace, update } = resource;
  for (const change of [replace, update]) {
    const sentence = 'Items changed at the same time are all stored as sent.';
    if (!change) continue;
    const level = saysToChange(change) ? 'must' : 'should';
    yield draftsOf(change)({ kind: 'concurrency', facet: 'stored' }, sentence, undefined, level);
  }
  if (!create) return;
  const draft = draftsOf(create);
  const items = 'Items added at the same time';
  yield draft(
    { kind: 'concurrency', facet: 'unique' },
    `${items} get different \`${idName(resource)}\`s.`,
  );
  yield draft({ kind: 'concurrency', facet: 'stored' }, `${items} are all stored.`);
}

/** Judges concurrent additions: all are stored, with different identifiers. */
export function* judgeConcurrency(trace: Trace): Generator<Finding> {
  yield* judgeIntents(trace, 'concurrency');
  for (const collection of collectionsOf(trace)) {
    const { id = '' } = additionOf(collection.resource) ?? {};
    yield* judgeHeld(collection, requirementId.concurrency(id, 'stored'), true);
    yield* judgeUnique(collection);
  }
}

/**
 * If identifiers repeat without concurrency too, it is not a race, and another requirement fails.
 */
function* judgeUnique({ resource, additions, owners }: Collection): Generator<Finding> {
  const id = requirementId.concurrency(resource.create?.id ?? '', 'unique');
  const repeated = [...owners()].find(([, { owner }]) => owner !== undefined)?.[0];
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
      yield failed(id, index, expected, `${addition.answered.id} twice`, [twin.reading.index], {
        at: memberPlace(addition.answered, ...resource.idPlace),
      });
    } else yield passed(id, index);
  }
}
