import type { Contract } from '../../contract/contract.ts';
import type { JsonValue } from '../../contract/json/value.ts';
import type { Operation } from '../../contract/openapi/operation.ts';
import { resolvePointer } from '../../contract/json/pointer.ts';
import { type MockResponse, headerText, responseHeader } from '../http/message.ts';
import { readBodyText } from '../http/parameter-text.ts';
import { isItemId } from '../items/store/item.ts';
import type { Call } from '../operation/response/outcome.ts';
import type { CallbackAddress } from './journal-entry.ts';

/**
 * The addresses that a successful request gives for the callbacks of its operation; callbacks without
 * one are left out.
 */
export function findCallbacks(
  { webhooks }: Contract,
  operation: Operation | undefined,
  call: Call,
  response: MockResponse,
): readonly CallbackAddress[] | undefined {
  if (operation === undefined || response.status >= 400) return undefined;
  return webhooks.flatMap(({ name, callback }) => {
    if (callback?.operation !== operation.id) return [];
    const { expression } = callback;
    // An expression, or a text with expressions in braces.
    const template = expression.startsWith('$') ? `{${expression}}` : expression;
    let isWhole = true;
    const url = template.replaceAll(/\{(\$[^{}]*)\}/g, (_, one: string) => {
      const value = valueOf(one, operation, call, response);
      isWhole &&= isItemId(value);
      return isItemId(value) ? `${value}` : '';
    });
    return isWhole && /^https?:/i.test(url) && URL.canParse(url) ? [{ name, url }] : [];
  });
}

/** OpenAPI 3.1, Runtime Expressions; `$url` is not known. */
function valueOf(
  expression: string,
  { path }: Operation,
  { request, query, pathValues }: Call,
  response: MockResponse,
): JsonValue | undefined {
  const [, source = '', part = '', name = ''] =
    /^\$(\w+)(?:\.(\w+)(?:[.#]([^]*))?)?$/.exec(expression) ?? [];
  switch (`${source} ${part}`.trim()) {
    case 'method':
      return request.method;
    case 'statusCode':
      return response.status;
    case 'request header':
      return headerText(request.headers, name.toLowerCase());
    case 'request query':
      return new URLSearchParams(query).get(name);
    case 'request path':
      return pathValues[[...path.matchAll(/\{([^{}]*)\}/g)].findIndex(([, one]) => one === name)];
    case 'request body': {
      const { content } = request;
      const text = content instanceof Uint8Array ? new TextDecoder().decode(content) : '';
      return memberOf(text, name, headerText(request.headers, 'content-type'));
    }
    case 'response header':
      return responseHeader(response, name);
    case 'response body':
      return memberOf(response.body, name, responseHeader(response, 'content-type'));
    default:
      return undefined;
  }
}

function memberOf(text: string, pointer: string, mediaType?: string): JsonValue | undefined {
  const body = readBodyText(text, mediaType);
  try {
    return body === undefined ? undefined : resolvePointer(body, pointer);
  } catch {
    // Not a pointer.
    return undefined;
  }
}
