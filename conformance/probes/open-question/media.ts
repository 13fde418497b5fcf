import { renderJson } from '../../../contract/index.ts';
import { validBody } from '../lawful-request.ts';
import { forCreates, forLists } from './trial.ts';

/** `request-media-type`: a lawful body under other names. */
export const listMediaTypeTrials = forCreates((operation, resource) =>
  mediaTypes.map(([mediaType, rank]) => ({
    way: mediaType === '' ? 'a body without a Content-Type' : `a body as ${mediaType}`,
    operation,
    rank,
    request: (run) => ({
      body: renderJson(validBody(operation, resource, run)),
      headers: { 'content-type': mediaType },
    }),
  })),
);

const mediaTypes = [
  ['text/plain', 2],
  ['', 3],
  ['application/vnd.api+json', 3],
  ['application/xml', 4],
  ['Application/JSON', 4],
  ['application/json ; charset=utf-8', 4],
] as const;

/** `accept`: a list for a client that takes no JSON. */
export const listAcceptTrials = forLists((list) => [
  {
    way: 'Accept: application/xml',
    operation: list,
    rank: 2,
    request: () => ({ headers: { accept: 'application/xml' } }),
  },
]);
