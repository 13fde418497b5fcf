import { requirementId, type Resource } from '../../../contract/index.ts';
import { additionsOf, earlierOwners } from '../trace/addition.ts';
import { judged, unclear, type Finding } from '../trace/finding.ts';
import { renderPlain, type Trace } from '../trace/trace.ts';

/** Judges the identifiers of added items: assigned by the service, and different from all others. */
export function* judgeIdentifiers(trace: Trace, resource: Resource): Generator<Finding> {
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
