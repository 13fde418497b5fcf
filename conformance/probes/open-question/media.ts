import { renderJson, type JsonObject } from '../../../contract/index.ts';
import { renderPlain } from '../../judge/trace/trace.ts';
import { forCreates, forLists, validBody, type Trial } from './trial.ts';

/** `request-media-type`: a lawful body under other names, and a form. */
export const listMediaTypeTrials = forCreates((operation, resource) => [
  ...mediaTypes.map(([mediaType, rank]): Trial => ({
    way: mediaType === '' ? 'a body without a Content-Type' : `a body as ${mediaType}`,
    operation,
    rank,
    request: (run) => ({
      body: renderJson(validBody(operation, resource, run)),
      headers: { 'content-type': mediaType },
    }),
  })),
  {
    way: 'a form',
    operation,
    rank: 2,
    request: (run) => ({
      body: renderForm(validBody(operation, resource, run)),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    }),
  },
]);

const mediaTypes = [
  ['text/plain', 2],
  ['', 3],
  ['application/vnd.api+json', 3],
  ['application/xml', 4],
  ['Application/JSON', 4],
  ['application/json ; charset=utf-8', 4],
] as const;

function renderForm(body: JsonObject): string {
  const pairs = Object.entries(body).map(([name, value]): [string, string] => [
    name,
    renderPlain(value ?? null),
  ]);
  return new URLSearchParams(pairs).toString();
}

/** `accept`: a list for a client that takes no JSON. */
export const listAcceptTrials = forLists((list) => [
  {
    way: 'Accept: application/xml',
    operation: list,
    rank: 2,
    request: () => ({ headers: { accept: 'application/xml' } }),
  },
]);
