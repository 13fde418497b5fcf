import type { Operation } from '../../../contract/openapi/operation.ts';
import { type ResponseContract, successStatus } from '../../../contract/openapi/response.ts';
import { splitList } from '../../http/field.ts';
import { type RequestHeaders, headerText } from '../../http/message.ts';
import { findExample } from '../response/representation.ts';

/** What a request prefers (RFC 7240). `wait`: the mock waits that long before it answers. */
export interface Preference {
  readonly code: number | undefined;
  readonly example: string | undefined;
  /** A value made from the schema is wanted, not an example and not what is stored. */
  readonly isDynamic: boolean;
  /** Seconds, at most 300. */
  readonly wait: number | undefined;
}

const maxWait = 300;

/** `name` or `name=value`, the value a token or quoted (RFC 7240 section 2). */
const itemPattern = /^\s*([\w!#$%&'*+.^`|~-]+)\s*(?:=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]*)))?/;

/**
 * Undefined where nothing is preferred. Of a repeated preference the first counts (RFC 7240). Links
 * and forms, which have no headers, have `__code`, `__example` and `__dynamic` in the query.
 */
export function readPreference(headers: RequestHeaders, query = ''): Preference | undefined {
  const text = headerText(headers, 'prefer');
  const isInQuery = preferredInQuery.test(query);
  if (text === undefined && !isInQuery) return undefined;
  const values = parsePreferences(text ?? '');
  const inQuery = new URLSearchParams(isInQuery ? query : '');
  const read = (name: string): string | undefined =>
    values.get(name) ?? inQuery.get(`__${name}`) ?? undefined;
  return {
    code: readNumber(read('code'), /^[1-5]\d\d$/, 599),
    example: read('example'),
    isDynamic: /^(?:true)?$/i.test(read('dynamic') ?? 'false'),
    wait: readNumber(values.get('wait'), /^\d+(?:\.\d+)?$/, maxWait),
  };
}

const preferredInQuery = /(?:^|&)__(?:code|example|dynamic)(?:[=&]|$)/;

/** Preferences by name, in lower case, in their order; `` for one without a value. */
export function parsePreferences(text: string): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (const item of splitList(text)) {
    const [, name = '', quoted, token] = itemPattern.exec(item) ?? [];
    if (!values.has(name.toLowerCase()))
      values.set(name.toLowerCase(), quoted?.replace(/\\(.)/g, '$1') ?? token ?? '');
  }
  return values;
}

function readNumber(text: string | undefined, form: RegExp, most: number): number | undefined {
  return text !== undefined && form.test(text) ? Math.min(most, Number(text)) : undefined;
}

/** The response of an operation that a preference names, and an example of it. */
export interface Preferred {
  readonly status: number;
  readonly response: ResponseContract;
  /** Undefined: the response has no example, or none by that name. */
  readonly example: ReturnType<typeof findExample>;
}

/** The documented response that is preferred; undefined for none, or the usual one. */
export function findPreferred(
  operation: Operation,
  { code, example, isDynamic }: Preference,
): Preferred | undefined {
  if (code === undefined && example === undefined && !isDynamic) return undefined;
  const { responses } = operation;
  const numbered = responses.filter((one) => /^\d+$/.test(one.status));
  const named = example === undefined ? undefined : findExample(numbered, example);
  const usual = successStatus(operation);
  const status = code ?? (named === undefined ? usual : Number(named.response.status));
  const response =
    responses.find((one) => one.status === `${status}`) ??
    responses.find((one) => one.status === `${Math.floor(status / 100)}XX`) ??
    responses.find((one) => one.status === 'default');
  if (response === undefined) return undefined;
  if (isDynamic) return { status, response, example: undefined };
  if (example === undefined && status === usual) return undefined;
  const found = findExample([response], example);
  return found === undefined && example !== undefined
    ? undefined
    : { status, response, example: found };
}
