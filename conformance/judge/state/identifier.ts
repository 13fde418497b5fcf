import { requirementId, type Resource } from '../../../contract/index.ts';
import type { Addition } from '../trace/addition.ts';
import { passed, failed, type Finding } from '../trace/finding.ts';
import { earlierOwners } from '../trace/owner.ts';
import { renderPlain, type Trace } from '../trace/trace.ts';

/** Judges the identifiers of added items: assigned by the service, and different from all others. */
export function* judgeIdentifiers(trace: Trace, resource: Resource): Generator<Finding> {
  if (resource.create === undefined) return;
  const unique = requirementId.state(resource.create.id, 'id-unique');
  const assigned = requirementId.state(resource.create.id, 'id-assigned');
  for (const [addition, owner] of earlierOwners(trace, resource)) {
    const { index } = addition.reading.exchange;
    if (owner === undefined) yield passed(unique, index);
    else {
      const received = `${addition.answered.id}, which another item had before`;
      yield failed(unique, index, 'an identifier that no other item has', received, [owner]);
    }
    yield* judgeAssigned(addition, assigned, resource);
  }
}

function* judgeAssigned(
  { sent, answered, reading }: Addition,
  assigned: string,
  { idProperty }: Resource,
): Generator<Finding> {
  const wish = sent[idProperty];
  if (wish === undefined) return;
  const { index } = reading.exchange;
  if (answered.id === renderPlain(wish)) {
    const received = `${renderPlain(wish)}, the one that the client sent`;
    yield failed(assigned, index, 'an identifier of the service', received);
  } else yield passed(assigned, index);
}
