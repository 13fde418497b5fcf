import { isJsonObject } from '../../../contract/index.ts';
import { headerOf, type ReceivedResponse } from '../../../conformance/index.ts';
import type { Log, Reading } from './reading.ts';

/** The media type of a response, in lower case and without parameters; empty for none. */
export function mediaTypeOf(response: ReceivedResponse): string {
  return headerOf(response, 'content-type')?.split(';')[0]?.trim().toLowerCase() ?? '';
}

/**
 * What a body has in common with others of the same maker: the members of an object, the elements of
 * a page, no more than that there is a text.
 */
export function skeletonOf({ response, body }: Reading): string {
  if (response === undefined) return 'none';
  if (response.body === '') return 'empty';
  if (isJsonObject(body)) return Object.keys(body).toSorted().join(' ');
  if (body !== undefined) return 'json';
  const tags = response.body.match(/<\/?[a-z][a-z0-9]*/gi);
  return tags === null ? 'text' : tags.join('').toLowerCase();
}

/** The names of the rate-limit headers that a response has, of those that all responses carry. */
export function quotaHeadersOf(response: ReceivedResponse, { contract }: Log): readonly string[] {
  const names = contract.rateLimit?.headers;
  if (names === undefined) return [];
  return [names.limit, names.remaining, names.reset].filter(
    (name) => headerOf(response, name) !== undefined,
  );
}

/** A body in a few words: `no body`, `an HTML page`, `JSON with detail`. */
export function describeForm(reading: Reading): string {
  const { response, body } = reading;
  if (response === undefined) return 'no response';
  if (response.body === '') return 'no body';
  if (isJsonObject(body))
    return `JSON with ${
      Object.keys(body)
        .map((name) => `\`${name}\``)
        .slice(0, 6)
        .join(', ') || 'no members'
    }`;
  if (body !== undefined) return 'JSON of another form';
  if (/<html|<!doctype/i.test(response.body)) {
    const title = /<title>([^<]{1,80})/i.exec(response.body)?.[1];
    return title === undefined ? 'an HTML page' : `the HTML page "${title.trim()}"`;
  }
  return mediaTypeOf(response) === '' ? 'a text' : `a text of ${mediaTypeOf(response)}`;
}
