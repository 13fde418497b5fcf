import { renderJson } from '../../contract/json/value.ts';
import {
  forCreates,
  isServed,
  observeResponses,
  refusedAs,
  type QuestionKind,
} from './question.ts';

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
  trials: forCreates((valid) =>
    mediaTypes.map(([mediaType, rank]) => ({
      way: mediaType === '' ? 'a body without a Content-Type' : `a body as ${mediaType}`,
      rank,
      request: (run) => ({
        body: renderJson(valid(run)),
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
    return refusedAs(reading, trace, { 415: 'unsupported', 400: 'refused' });
  }),
};
