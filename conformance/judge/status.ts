import { requirementId } from '../../contract/index.ts';
import { failed, passed, type Finding } from './trace/finding.ts';
import { judgeIntents } from './trace/intent.ts';
import { sightingsOf } from './trace/model.ts';
import type { Trace } from './trace/trace.ts';
import { describeResponse } from './trace/words.ts';

/** Judges the statuses of lawful requests: success, and 404 for what is not there. */
export function* judgeStatus(trace: Trace): Generator<Finding> {
  yield* judgeIntents(trace, 'status');
  for (const { reading, item, state, isGet } of sightingsOf(trace)) {
    if (!isGet || state?.kind !== 'removed') continue;
    const { operation, exchange, response } = reading;
    const id = requirementId.status(operation.id, 404);
    const expected = 'nothing of an item that was removed';
    if (item !== undefined)
      yield failed(id, exchange.index, expected, describeResponse(response), [state.by]);
    else if (response.status === 404) yield passed(id, exchange.index);
  }
}
