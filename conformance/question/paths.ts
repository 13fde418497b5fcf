import { NothingToSend } from '../probes/probe.ts';
import { headerOf } from '../transport/exchange.ts';
import {
  everyChoice,
  forLists,
  forParameter,
  isRefused,
  isServed,
  observeResponses,
  refusedAs,
  type Ask,
  type Observe,
  type QuestionKinds,
} from './question.ts';

const oddPathValues: readonly (readonly [value: string, way: string, rank: number])[] = [
  ['abc', 'letters', 1],
  [String(2n ** 63n), 'an integer beyond 64 bits', 3],
  ['1.5', 'a fraction', 3],
  ['null', 'the word null', 4],
  ['%', 'a percent sign', 4],
  ["1' OR '1'='1", 'an apostrophe', 4],
  ['9'.repeat(400), '400 digits', 4],
];

/** An identifier far beyond those that counters assign. */
const absentId = String(2n ** 62n + 11n);

export const pathQuestions = {
  'invalid-path-parameter': {
    trials: forParameter(({ name, schema }) =>
      oddPathValues
        .filter(([, way]) => !way.endsWith('64 bits') || schema.shape().format === 'int64')
        .map(([value, way, rank]) => ({ way, rank, request: () => ({ path: { [name]: value } }) })),
    ),
    observe: observeResponses((reading, trace) =>
      // The URL as a whole was too long.
      reading.status === 414
        ? undefined
        : refusedAs(reading, trace, { 404: 'not-found', 400: 'refused' }),
    ),
  },
  'undescribed-operations': {
    trials: forLists((_resource, _contract, { details }) =>
      (Array.isArray(details['paths']) ? details['paths'] : []).flatMap((path: unknown) =>
        typeof path === 'string' ? [askFor(path, `GET ${path}`)] : [],
      ),
    ),
    observe: observeServed('served', 'not-served'),
  },
  /** An unknown path, and an undescribed method. */
  'undescribed-requests': {
    trials: forLists(({ get, remove, idParameter }) => {
      const asks: Ask[] = [
        { ...askFor('/no-such-path', 'an unknown path'), rank: 2 },
        {
          way: 'an unknown path without a key',
          rank: 3,
          request: () => ({ target: '/no-such-path', credential: 'missing' }),
        },
      ];
      // A missing identifier, so that nothing is lost if the method is served after all.
      const isNumber = idParameter?.schema.shape().types.includes('integer') === true;
      if (get !== undefined && remove === undefined && isNumber)
        asks.push({
          way: 'the method DELETE, which is not described',
          operation: get,
          rank: 3,
          writes: true,
          request: () => ({ method: 'DELETE', path: { [idParameter.name]: absentId } }),
        });
      return asks;
    }),
    observe: observeResponses((reading, trace) => {
      const { exchange, operation, response, status } = reading;
      // The key may be checked first.
      if (exchange.request.credential === 'missing' && status === 401) return undefined;
      if (exchange.request.method === operation.method)
        return status === 404
          ? ['not-found', ...(isRefused(reading, trace, 404) ? ['http'] : [])]
          : [];
      if (status === 404) return ['not-found'];
      const allows = headerOf(response, 'allow') !== undefined;
      return allows && isRefused(reading, trace, 405) ? ['http'] : [];
    }),
  },
  versioning: {
    trials: forLists(({ list }, { basePath }) => {
      const [segment, name, number] = /\/(v)(\d+)$/.exec(basePath) ?? [];
      if (segment === undefined) return [];
      const next = `/${name}${Number(number) + 1}${list.path}`;
      return [
        {
          way: `GET ${next}`,
          rank: 3,
          request: ({ session: { baseUrl } }) => {
            if (!baseUrl.endsWith(segment))
              throw new NothingToSend(
                `the base URL does not end in ${segment}, so the address of another version is not known`,
              );
            return { target: `/..${next}` };
          },
        },
      ];
    }),
    observe: observeServed('several-versions', 'one-version'),
  },
} satisfies QuestionKinds;

function askFor(target: string, way: string): Ask {
  return { way, rank: 3, request: () => ({ target }) };
}

/** Statuses for missing resources. Other refusals do not show whether one exists. */
const missing: ReadonlySet<number> = new Set([404, 405, 410, 501]);

/** Observes whether undescribed paths and methods exist. */
function observeServed(served: string, notServed: string): Observe {
  return observeResponses((reading, _trace, question) => {
    if (isServed(reading)) return [served];
    return missing.has(reading.status) ? [notServed] : everyChoice(question);
  });
}
