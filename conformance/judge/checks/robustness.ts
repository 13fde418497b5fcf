import { obligationId } from '../../../contract/index.ts';
import type { Check } from '../trace/check.ts';
import type { Exchange } from '../../transport/exchange.ts';
import { held, violated } from '../trace/finding.ts';
import { describeAnswer } from '../trace/words.ts';

/**
 * Judges that every request is answered, and that none outside the contract brings the service
 * down. A 5xx to any other request breaks that request's own obligation.
 */
export const robustnessCheck: Check = {
  id: 'robustness',
  *judge({ exchanges }) {
    const fallen = new Set(
      exchanges.filter(isExpectedToStand).map(({ request }) => request.operation),
    );
    for (const exchange of exchanges) {
      const { operation } = exchange.request;
      const answered = obligationId.robustness(operation, 'answered');
      const standing = obligationId.robustness(operation, 'no-server-error');
      if (exchange.intent.kind === 'beyond') continue;
      if (exchange.outcome.kind === 'failed') {
        yield violated(answered, exchange.index, 'an answer', describeFailure(exchange));
        continue;
      }
      yield held(answered, exchange.index);
      const { answer } = exchange.outcome;
      if (answer.status < 500) yield held(standing, exchange.index);
      else if (exchange.intent.kind === 'open' && !fallen.has(operation))
        yield violated(standing, exchange.index, 'any answer below 500', describeAnswer(answer));
    }
  },
};

/**
 * A 5xx to a request that the contract covers: named by that request's own obligation, which
 * explains others.
 */
function isExpectedToStand({ intent, outcome }: Exchange): boolean {
  return intent.kind !== 'open' && outcome.kind === 'answered' && outcome.answer.status >= 500;
}

function describeFailure({ outcome, sentAt, endedAt }: Exchange): string {
  if (outcome.kind !== 'failed') return '';
  const { failure } = outcome;
  if (failure.reason === 'timeout')
    return `nothing within ${Math.round((endedAt - sentAt) / 100) / 10} seconds`;
  return failure.reason === 'not-http'
    ? `no valid HTTP: ${failure.message}`
    : `a broken connection: ${failure.message}`;
}
