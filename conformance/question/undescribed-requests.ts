import { headerOf } from '../transport/exchange.ts';
import { isRefused, observeResponses, type QuestionKind, type Trial } from './question.ts';

/** An identifier far beyond those that counters give. */
const absentId = String(2n ** 62n + 11n);

/** `undescribed-requests`: a path that nothing has, and a method that no operation has. */
export const undescribedRequests: QuestionKind = {
  trials: (_question, { resources }) =>
    resources.slice(0, 1).flatMap(({ list, get, remove, idParameter }) => {
      const trials: Trial[] = [
        {
          way: 'an unknown path',
          operation: list,
          rank: 2,
          request: () => ({ target: '/no-such-path' }),
        },
        {
          way: 'an unknown path without a key',
          operation: list,
          rank: 3,
          request: () => ({ target: '/no-such-path', credential: 'missing' }),
        },
      ];
      // An identifier that nothing has: should the method be served after all, nothing is lost.
      const isNumber = idParameter?.schema.shape().types.includes('integer') === true;
      if (get !== undefined && remove === undefined && isNumber)
        trials.push({
          way: 'the method DELETE, which is not described',
          operation: get,
          rank: 3,
          writes: true,
          request: () => ({ method: 'DELETE', path: { [idParameter.name]: absentId } }),
        });
      return trials;
    }),
  observe: observeResponses((reading, trace) => {
    const { exchange, operation, response, status } = reading;
    // The key may be looked at first.
    if (exchange.request.credential === 'missing' && status === 401) return undefined;
    if (exchange.request.method === operation.method)
      return status === 404
        ? ['not-found', ...(isRefused(reading, trace, 404) ? ['http'] : [])]
        : [];
    if (status === 404) return ['not-found'];
    const allows = headerOf(response, 'allow') !== undefined;
    return allows && isRefused(reading, trace, 405) ? ['http'] : [];
  }),
};
