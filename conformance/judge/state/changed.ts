import { jsonEquals, requirementId } from '../../../contract/index.ts';
import { failed, judged, type Finding } from '../trace/finding.ts';
import { malformedMembers } from '../trace/item.ts';
import { sightingsOf } from '../trace/model.ts';
import type { Trace } from '../trace/trace.ts';
import { quote } from '../trace/words.ts';

/** Judges items that were replaced, updated or removed: later responses show the last state. */
export function* judgeChanged(trace: Trace): Generator<Finding> {
  for (const { reading, resource, item, state, isGet } of sightingsOf(trace)) {
    if (item === undefined || state === undefined) continue;
    const { operation, exchange } = reading;
    if (state.kind === 'removed') {
      const id = requirementId.state(resource.remove?.id ?? '', 'removed');
      const expected = 'nothing of an item that was removed';
      if (!isGet) yield failed(id, exchange.index, expected, quote(item), [state.by]);
    } else if (state.changed) {
      const malformed = malformedMembers(item, resource);
      for (const [name, value] of Object.entries(state.members)) {
        if (value === undefined || malformed.has(name) || name === resource.idProperty) continue;
        const id = requirementId.state(operation.id, `read.${name}`);
        const received = item[name];
        const isKept = received !== undefined && jsonEquals(value, received);
        const expected = `\`${name}\` ${quote(value)}, as it was changed`;
        const shown = `\`${name}\` ${quote(received)}`;
        yield judged(isKept, id, exchange.index, expected, shown, [state.by]);
      }
    }
  }
}
