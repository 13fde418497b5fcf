import { renderJson } from '../../contract/json/value.ts';
import { validBody } from '../probes/valid-request.ts';
import {
  forCreates,
  forLists,
  isRefused,
  isServed,
  observeResponses,
  type QuestionKind,
} from './question.ts';

/** `accept`: a list for a client that takes no JSON. */
export const accept: QuestionKind = {
  trials: forLists((list) => [
    {
      way: 'Accept: application/xml',
      operation: list,
      rank: 2,
      request: () => ({ headers: { accept: 'application/xml' } }),
    },
  ]),
  observe: observeResponses((reading, trace) => {
    if (isServed(reading)) return reading.content === undefined ? [] : ['ignored'];
    return isRefused(reading, trace, 406) ? ['not-acceptable'] : [];
  }),
};

const mediaTypes = [
  ['text/plain', 2],
  ['', 3],
  ['application/vnd.api+json', 3],
  ['application/xml', 4],
  ['Application/JSON', 4],
  ['application/json ; charset=utf-8', 4],
] as const;

/** `request-media-type`: a valid body under other names. */
export const requestMediaType: QuestionKind = {
  trials: forCreates((operation, resource) =>
    mediaTypes.map(([mediaType, rank]) => ({
      way: mediaType === '' ? 'a body without a Content-Type' : `a body as ${mediaType}`,
      operation,
      rank,
      request: (run) => ({
        body: renderJson(validBody(operation, resource, run)),
        headers: { 'content-type': mediaType },
      }),
    })),
  ),
  observe: observeResponses((reading, trace) => {
    const { headers } = reading.exchange.request;
    const sent = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
    // No type may be guessed (RFC 9110 section 8.3), and case and spaces make no other type.
    if (/^(?:application\/json\s*(?:;.*)?)?$/i.test(sent.trim())) return undefined;
    if (isServed(reading)) return ['accepted'];
    return [
      ...(isRefused(reading, trace, 415) ? ['unsupported'] : []),
      ...(isRefused(reading, trace, 400) ? ['refused'] : []),
    ];
  }),
};
