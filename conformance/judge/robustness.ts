import { requirementId } from '../../contract/index.ts';
import type { Exchange, TransportError } from '../transport/exchange.ts';
import { passed, failed, judged, type Finding } from './trace/finding.ts';
import type { Trace } from './trace/trace.ts';
import { describeResponse } from './trace/words.ts';

/** Judges that every request is answered, and none with a 5xx, whatever it asks for. */
export function* judgeRobustness({ exchanges }: Trace): Generator<Finding> {
  for (const exchange of exchanges) {
    const { index, outcome, request } = exchange;
    const answered = requirementId.robustness(request.operation, 'answered');
    if (outcome.kind === 'no-response') {
      yield failed(answered, index, 'a response', describeFailure(exchange, outcome.error));
      continue;
    }
    yield passed(answered, index);
    const standing = requirementId.robustness(request.operation, 'no-server-error');
    const { response } = outcome;
    const expected = 'any response below 500';
    yield judged(response.status < 500, standing, index, expected, describeResponse(response));
  }
}

function describeFailure({ sentAt, endedAt }: Exchange, error: TransportError): string {
  if (error.reason === 'timeout')
    return `nothing within ${Math.round((endedAt - sentAt) / 100) / 10} seconds`;
  const what = error.reason === 'not-http' ? 'no valid HTTP' : 'a broken connection';
  return `${what}: ${error.message}`;
}
