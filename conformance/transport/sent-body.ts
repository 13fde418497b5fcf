import type { JsonValue } from '../../contract/json/value.ts';
import { essence, findContent, isForm } from '../../contract/openapi/media-type.ts';
import type { Operation } from '../../contract/openapi/operation.ts';
import { readForm } from '../generate/form.ts';
import { headerOf, readJson, type SentRequest } from './exchange.ts';

/** The body of a request: a form for the operation's form, else JSON. */
export function readSentBody(
  operation: Operation,
  { body, headers }: Pick<SentRequest, 'body' | 'headers'>,
): { readonly body?: JsonValue | undefined; readonly clear?: JsonValue | undefined } {
  const contentType = headerOf({ headers }, 'content-type') ?? '';
  if (body !== undefined && isForm(essence(contentType))) {
    const form = findContent(operation.requestBody?.content ?? [], contentType);
    return readForm(body, contentType, form?.schema);
  }
  const json = readJson(body);
  return { body: json, clear: json };
}
