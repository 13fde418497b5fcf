import { type JsonValue, type Operation, parseJson } from '../../../contract/index.ts';
import { essence } from '../../http/media-type.ts';
import { type RequestHeaders, headerText } from '../../http/message.ts';
import { queryPairs, decodeQuery } from '../../http/query.ts';
import { splitTarget } from '../../operation/router/router.ts';
import type { Call } from '../../operation/response/outcome.ts';

/** A request as stubs look at it. */
export interface ReceivedRequest {
  readonly operation: Operation | undefined;
  readonly method: string;
  /** As it was sent, percent-encoded. */
  readonly path: string;
  readonly query: string;
  readonly headers: RequestHeaders;
  /** The body as text; `` for none. */
  readonly text: string;
  /** The body as JSON, a form as an object of texts; undefined where it is neither. */
  readonly json: JsonValue | undefined;
}

/** The body is decoded and parsed once, and only where a stub looks at it. */
export function readReceived(
  { request, query }: Call,
  operation: Operation | undefined,
): ReceivedRequest {
  const { method, target, headers, content } = request;
  let text: string | undefined;
  let parsed: { readonly json: JsonValue | undefined } | undefined;
  return {
    operation,
    method,
    path: splitTarget(target).path,
    query,
    headers,
    get text() {
      text ??= content === 'too-large' ? '' : new TextDecoder().decode(content);
      return text;
    },
    get json() {
      parsed ??= { json: parseBody(this.text, headers) };
      return parsed.json;
    },
  };
}

function parseBody(text: string, headers: RequestHeaders): JsonValue | undefined {
  if (text === '') return undefined;
  if (essence(headerText(headers, 'content-type') ?? '') === 'application/x-www-form-urlencoded')
    return Object.fromEntries(
      queryPairs(text).map(({ name, raw }): [string, string] => [name, decodeQuery(raw)]),
    );
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
