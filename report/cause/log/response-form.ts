import { isJsonObject } from '../../../contract/index.ts';
import { headerOf, type ReceivedResponse } from '../../../conformance/index.ts';
import type { Form } from '../codec/fact.ts';
import type { Reading } from './reading.ts';

/** The media type of a response, in lower case and without parameters; empty for none. */
export function mediaTypeOf(response: ReceivedResponse): string {
  return headerOf(response, 'content-type')?.split(';')[0]?.trim().toLowerCase() ?? '';
}

/** The form of a body. */
export function formOf({ response, body }: Reading): Form {
  if (response === undefined || response.body === '') return { kind: 'none' };
  if (isJsonObject(body)) return { kind: 'object', members: Object.keys(body).slice(0, 6) };
  if (body !== undefined) return { kind: 'json' };
  if (!/<html|<!doctype/i.test(response.body))
    return { kind: 'text', mediaType: mediaTypeOf(response) };
  const title = /<title>([^<]{1,80})/i.exec(response.body)?.[1] ?? '';
  return { kind: 'page', title: title.trim() };
}
