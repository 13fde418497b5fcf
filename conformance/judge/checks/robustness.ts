import { requirementId } from '../../../contract/index.ts';
import type { Check } from '../trace/check.ts';
import type { Exchange } from '../../transport/exchange.ts';
import { passed, failed } from '../trace/finding.ts';
import { describeResponse } from '../trace/words.ts';

/**
 * Judges that every request is answered, and that none outside the contract brings the service
 * down. A 5xx to any other request breaks that request's own requirement.
 */
export const robustnessCheck: Check = {
  id: 'robustness',
  *judge({ exchanges }) {
    const fallen = new Set(
      exchanges.filter(isExpectedToStand).map(({ request }) => request.operation),
    );
    for (const exchange of exchanges) {
      const { operation } = exchange.request;
      const answered = requirementId.robustness(operation, 'answered');
      const standing = requirementId.robustness(operation, 'no-server-error');
      if (exchange.intent.kind === 'beyond') continue;
      if (exchange.outcome.kind === 'no-response') {
        yield failed(answered, exchange.index, 'a response', describeFailure(exchange));
        continue;
      }
      yield passed(answered, exchange.index);
      const { response } = exchange.outcome;
      if (response.status < 500) yield passed(standing, exchange.index);
      else if (exchange.intent.kind === 'open' && !fallen.has(operation))
        yield failed(
          standing,
          exchange.index,
          'any response below 500',
          describeResponse(response),
        );
    }
  },
};

/**
 * A 5xx to a request that the contract covers: named by that request's own requirement, which
 * explains others.
 */
function isExpectedToStand({ intent, outcome }: Exchange): boolean {
  return intent.kind !== 'open' && outcome.kind === 'answered' && outcome.response.status >= 500;
}

function describeFailure({ outcome, sentAt, endedAt }: Exchange): string {
  if (outcome.kind !== 'no-response') return '';
  const { error } = outcome;
  if (error.reason === 'timeout')
    return `nothing within ${Math.round((endedAt - sentAt) / 100) / 10} seconds`;
  return error.reason === 'not-http'
    ? `no valid HTTP: ${error.message}`
    : `a broken connection: ${error.message}`;
}
