import { requirementId } from '../../contract/index.ts';
import type { Exchange, TransportError } from '../transport/exchange.ts';
import { passed, failed, type Finding } from './trace/finding.ts';
import type { Trace } from './trace/trace.ts';
import { describeResponse } from './trace/words.ts';

/**
 * Judges that every request is answered, and none outside the contract brings the service down.
 * A 5xx to any other request breaks that request's own requirement.
 */
export function* judgeRobustness({ exchanges }: Trace): Generator<Finding> {
  const covered = exchanges.filter(isNamedElsewhere);
  const fallen = new Set(covered.map(({ request }) => request.operation));
  for (const exchange of exchanges) {
    const { index, intent, outcome, request } = exchange;
    if (intent.kind === 'beyond') continue;
    const answered = requirementId.robustness(request.operation, 'answered');
    if (outcome.kind === 'no-response') {
      yield failed(answered, index, 'a response', describeFailure(exchange, outcome.error));
      continue;
    }
    yield passed(answered, index);
    const standing = requirementId.robustness(request.operation, 'no-server-error');
    if (outcome.response.status < 500) yield passed(standing, index);
    else if (intent.kind === 'open' && !fallen.has(request.operation)) {
      const received = describeResponse(outcome.response);
      yield failed(standing, index, 'any response below 500', received);
    }
  }
}

/** A 5xx to a request that the contract covers: that request's own requirement names it. */
function isNamedElsewhere({ intent, outcome }: Exchange): boolean {
  return intent.kind !== 'open' && outcome.kind === 'answered' && outcome.response.status >= 500;
}

function describeFailure({ sentAt, endedAt }: Exchange, error: TransportError): string {
  if (error.reason === 'timeout')
    return `nothing within ${Math.round((endedAt - sentAt) / 100) / 10} seconds`;
  const what = error.reason === 'not-http' ? 'no valid HTTP' : 'a broken connection';
  return `${what}: ${error.message}`;
}
