import { headerOf } from '../transport/exchange.ts';
import type { Reading } from '../judge/trace/trace.ts';
import { NothingToSend } from '../probes/probe.ts';
import {
  everyChoice,
  forLists,
  isRefused,
  isServed,
  observeResponses,
  type Observe,
  type QuestionKind,
  type Trial,
} from './question.ts';

/** An identifier far beyond those that counters give. */
const absentId = String(2n ** 62n + 11n);

/** `undescribed-requests`: a path that nothing has, and a method that no operation has. */
export const undescribedRequests: QuestionKind = {
  trials: (_question, { resources }) =>
    resources.slice(0, 1).flatMap(({ list, get, remove, idParameter }) => {
      const path: Trial = {
        way: 'an unknown path',
        operation: list,
        rank: 2,
        request: () => ({ target: '/no-such-path' }),
      };
      const keyless: Trial = {
        way: 'an unknown path without a key',
        operation: list,
        rank: 3,
        request: () => ({ target: '/no-such-path', credential: 'missing' }),
      };
      // An identifier that nothing has: should the method be served after all, nothing is lost.
      const isNumber = idParameter?.schema.shape().types.includes('integer') === true;
      const method: readonly Trial[] =
        get === undefined || remove !== undefined || !isNumber
          ? []
          : [
              {
                way: 'the method DELETE, which is not described',
                operation: get,
                rank: 3,
                writes: true,
                request: () => ({ method: 'DELETE', path: { [idParameter.name]: absentId } }),
              },
            ];
      return [path, keyless, ...method];
    }),
  observe: observeResponses((reading, trace) => {
    const { exchange, operation, response } = reading;
    // The key may be looked at first.
    if (exchange.request.credential === 'missing' && response.status === 401) return undefined;
    const isMissing = response.status === 404;
    if (exchange.request.method === operation.method)
      return isMissing ? ['not-found', ...(isRefused(reading, trace, 404) ? ['http'] : [])] : [];
    if (isMissing) return ['not-found'];
    const allows = headerOf(response, 'allow') !== undefined;
    return allows && isRefused(reading, trace, 405) ? ['http'] : [];
  }),
};

/** `undescribed-operations`: the paths that the question names. */
export const undescribedOperations: QuestionKind = {
  trials: ({ details }, { resources: [resource] }) => {
    const paths = Array.isArray(details['paths']) ? details['paths'] : [];
    return paths.flatMap((path: unknown) =>
      typeof path !== 'string' || resource === undefined
        ? []
        : [
            {
              way: `GET ${path}`,
              operation: resource.list,
              rank: 3,
              request: () => ({ target: path }),
            },
          ],
    );
  },
  observe: observeServed('served', 'not-served'),
};

/** `versioning`: the list of the version after this one. */
export const versioning: QuestionKind = {
  trials: forLists((list, { basePath }) => {
    const [, name, number] = /\/(v)(\d+)$/.exec(basePath) ?? [];
    if (name === undefined || number === undefined) return [];
    const segment = `/${name}${number}`;
    const next = `/${name}${Number(number) + 1}`;
    return [
      {
        way: `GET ${next}${list.path}`,
        operation: list,
        rank: 3,
        request: ({ session: { baseUrl } }) => {
          if (!baseUrl.endsWith(segment))
            throw new NothingToSend(
              `the base URL does not end in ${segment}, so the address of another version is not known`,
            );
          return { target: `/..${next}${list.path}` };
        },
      },
    ];
  }),
  observe: observeServed('several-versions', 'one-version'),
};

/** Statuses of what is not there. A refusal of another kind does not say whether it is. */
const missing: ReadonlySet<number> = new Set([404, 405, 410, 501]);

function observeServed(served: string, notServed: string): Observe {
  return function* observe(question, trace, whole) {
    const choicesOf = (reading: Reading): readonly string[] => {
      if (isServed(reading)) return [served];
      return missing.has(reading.response.status) ? [notServed] : everyChoice(question);
    };
    yield* observeResponses(choicesOf)(question, trace, whole);
  };
}
