import type { Contract } from '../../contract/contract.ts';
import { type JsonValue, parseJson } from '../../contract/json/value.ts';
import type { Operation } from '../../contract/openapi/operation.ts';
import { resolvePointer } from '../../contract/json/pointer.ts';
import { essence } from '../../contract/openapi/media-type.ts';
import { type MockResponse, headerText, responseHeader } from '../http/message.ts';
import type { Call } from '../operation/response/outcome.ts';
import type { CallbackAddress } from './journal-entry.ts';

/**
 * Where the callbacks of an operation that has some go by a request that was granted; those are left
 * out for which it gives no address.
 */
export function findCallbacks(
  { webhooks }: Contract,
  operation: Operation | undefined,
  call: Call,
  response: MockResponse,
): readonly CallbackAddress[] | undefined {
  if (operation === undefined || response.status >= 400) return undefined;
  const own = webhooks.filter(({ callback }) => callback?.operation === operation.id);
  const sent: Exchange = { operation, call, response };
  return own.flatMap(({ name, callback }) => {
    const url = evaluateExpression(callback?.expression ?? '', sent);
    return url === undefined ? [] : [{ name, url }];
  });
}

interface Exchange {
  readonly operation: Operation;
  readonly call: Call;
  readonly response: MockResponse;
}

/** An expression, or a text with expressions in braces; undefined where it gives no address. */
function evaluateExpression(expression: string, sent: Exchange): string | undefined {
  const template = expression.startsWith('$') ? `{${expression}}` : expression;
  let isWhole = true;
  const url = template.replaceAll(/\{(\$[^{}]*)\}/g, (_, one: string) => {
    const value = textOf(valueOf(one, sent));
    isWhole &&= value !== undefined;
    return value ?? '';
  });
  return isWhole && /^https?:/i.test(url) && URL.canParse(url) ? url : undefined;
}

/** OpenAPI 3.1, Runtime Expressions; `$url` is not known. */
function valueOf(expression: string, { operation, call, response }: Exchange) {
  const { request, query, pathValues } = call;
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
      return pathValues[namesOf(operation.path).indexOf(name)];
    case 'request body':
      return memberOf(bodyText(call), name, headerText(request.headers, 'content-type'));
    case 'response header':
      return responseHeader(response, name);
    case 'response body':
      return memberOf(response.body, name, responseHeader(response, 'content-type'));
    default:
      return undefined;
  }
}

function namesOf(path: string): readonly string[] {
  return [...path.matchAll(/\{([^{}]*)\}/g)].map(([, name = '']) => name);
}

function bodyText({ request: { content } }: Call): string {
  return content instanceof Uint8Array ? new TextDecoder().decode(content) : '';
}

function memberOf(text: string, pointer: string, mediaType = ''): JsonValue | undefined {
  try {
    const isForm = essence(mediaType) === 'application/x-www-form-urlencoded';
    const body = isForm ? Object.fromEntries(new URLSearchParams(text)) : parseJson(text);
    return resolvePointer(body, pointer);
  } catch {
    // No JSON, or no pointer: then it names nothing.
    return undefined;
  }
}

function textOf(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint'
    ? String(value)
    : undefined;
}
