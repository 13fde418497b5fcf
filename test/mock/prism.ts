import { getHttpOperationsFromSpec } from '@stoplight/prism-http';
import { validateOutput } from '@stoplight/prism-http/dist/validator/index.js';
import { parseOrNothing } from '../../dev/corpus/json.ts';

/** A response with its request. */
export interface JudgedExchange {
  readonly method: string;
  /** Relative to the base path: `/pets?limit=1`. */
  readonly target: string;
  readonly status: number;
  readonly headers: Iterable<readonly [name: string, value: string]>;
  readonly body: string;
}

/** The errors that Prism finds in a response; undefined for a request outside of the document. */
export type PrismJudge = (exchange: JudgedExchange) => readonly string[] | undefined;

/**
 * Prism's response validation, without its proxy. It has one bug: it limits int64 to double precision
 * (stoplightio/http-spec#253), although it ranges from -2^63 to 2^63 - 1 (OpenAPI Format Registry). Its
 * errors about such integers are ignored.
 */
export async function loadPrism(file: string): Promise<PrismJudge> {
  const operations = await getHttpOperationsFromSpec(file);
  return ({ method, target, status, headers, body }) => {
    const path = target.split('?')[0] ?? '';
    const resource = operations.find(
      (one) => one.method === method.toLowerCase() && matcherOf(one.path).test(path),
    );
    if (resource === undefined) return undefined;
    const fields = Object.fromEntries(
      [...headers].map(([name, value]) => [name.toLowerCase(), value]),
    );
    const isJson = /\bjson\b/.test(fields['content-type'] ?? '');
    const value = isJson && body !== '' ? parseOrNothing(body) : body;
    if (value === undefined) return ['response.body: is not JSON'];
    const element = { statusCode: status, headers: fields, body: value };
    const result = validateOutput({ resource, element });
    if (!('left' in result)) return [];
    return result.left
      .filter(({ message }) => !(unlisted.test(message) && status >= 400 && status < 500))
      .map(({ path: at = [], message }) => `${['response', ...at].join('.')}: ${message}`)
      .filter((remark) => !(int64.test(remark) && largeInteger.test(body)));
  };
}

/** A warning of Prism's for a 4xx: a document need not list every status (OpenAPI 3.1, Responses Object). */
const unlisted = /^Unable to match the returned status code/;

const int64 = /^response\.body\.\S+: .* must be (<=|>=) -?9007199254740991$/;
const largeInteger = /[:,[]-?\d{16,}/;

function matcherOf(path: string): RegExp {
  return new RegExp(`^${path.replaceAll(/\{[^{}]*\}/g, '[^/]+')}$`);
}
