import { requirementId, type Drafts, draftsOf } from '../judge/trace/requirement.ts';
import type { Exchange, TransportError } from '../transport/exchange.ts';
import { isUnreached } from '../transport/pacing.ts';
import { passed, failed, unclear, type Finding } from '../judge/trace/finding.ts';
import type { Trace } from '../judge/trace/trace.ts';
import { describeResponse } from '../judge/trace/words.ts';
import type { Operation } from '../../contract/openapi/operation.ts';

/** Every request gets a response, and none a 5xx. */
export function* listRobustnessRequirements(operation: Operation): Drafts {
  const draft = draftsOf(operation);
  yield draft(
    { kind: 'robustness', facet: 'answered' },
    `${operation.id} responds to every request.`,
  );
  yield draft(
    { kind: 'robustness', facet: 'no-server-error' },
    `${operation.id} never returns a 5xx, not even for an invalid request.`,
  );
}

/**
 * Judges that every request gets a response, and none a 5xx, whatever it asks for. A request that
 * did not reach the target proves nothing itself; the request before it may have brought the
 * service down.
 */
export function* judgeRobustness({ exchanges }: Trace): Generator<Finding> {
  for (const [place, exchange] of exchanges.entries()) {
    const { index, outcome, request } = exchange;
    if (isUnreached(exchange)) {
      yield* judgeOutage(exchange, exchanges[place - 1]);
      continue;
    }
    const answered = requirementId.robustness(request.operation, 'answered');
    if (outcome.kind === 'no-response' && outcome.error.reason === 'too-large') {
      yield unclear(answered, index, `its response was not judged: ${outcome.error.message}`);
      continue;
    }
    if (outcome.kind === 'no-response') {
      yield failed(answered, index, 'a response', describeFailure(exchange, outcome.error));
      continue;
    }
    yield passed(answered, index);
    const standing = requirementId.robustness(request.operation, 'no-server-error');
    const { response } = outcome;
    yield response.status < 500
      ? passed(standing, index)
      : failed(standing, index, 'any response below 500', describeResponse(response));
  }
}

/**
 * A target that responded to one request and was gone for the next. If it closed the connection
 * without a response, that request fails by itself.
 */
function* judgeOutage({ index }: Exchange, before: Exchange | undefined): Generator<Finding> {
  if (before === undefined || isUnreached(before) || before.outcome.kind !== 'answered') return;
  const id = requirementId.robustness(before.request.operation, 'answered');
  const received = `${describeResponse(before.outcome.response)}, and no connection for the next request`;
  yield failed(id, before.index, 'a service that keeps running', received, [index]);
}

function describeFailure({ sentAt, endedAt }: Exchange, error: TransportError): string {
  if (error.reason === 'timeout')
    return `nothing within ${Math.round((endedAt - sentAt) / 100) / 10} seconds`;
  return `${words[error.reason] ?? 'a broken connection'}: ${error.message}`;
}

const words: Readonly<Partial<Record<TransportError['reason'], string>>> = {
  'not-http': 'invalid HTTP',
  endless: 'a response without an end',
  undecodable: 'an unreadable body',
};
