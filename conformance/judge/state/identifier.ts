import { requirementId, type Resource } from '../../../contract/index.ts';
import type { Addition } from '../trace/addition.ts';
import { passed, failed, judged, type Finding } from '../trace/finding.ts';
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
  if (sent[idProperty] === undefined) return;
  const wish = renderPlain(sent[idProperty]);
  const [expected, received] = [
    'an identifier of the service',
    `${wish}, the one that the client sent`,
  ];
  yield judged(answered.id !== wish, assigned, reading.exchange.index, expected, received);
}
