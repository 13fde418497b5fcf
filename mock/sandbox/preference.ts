import type { Operation } from '../../contract/openapi/operation.ts';
import { documentedResponse, successStatus } from '../../contract/openapi/response.ts';
import { sampleSchema } from '../../contract/sample/sample.ts';
import { splitList } from '../http/field.ts';
import { type RequestHeaders, headerText } from '../http/message.ts';
import type { Outcome } from '../operation/response/outcome.ts';
import { refuseOverLimit } from '../operation/response/refusal.ts';
import {
  chooseContent,
  factsOf,
  findExample,
  represent,
  showDocumented,
} from '../operation/response/representation.ts';
import type { LimitReading } from '../rate-limit/limiter.ts';
import type { Caller } from './sandbox.ts';

/** The preferences of a request (RFC 7240). `wait`: how long the mock waits before it responds. */
export interface Preference {
  readonly code: number | undefined;
  readonly example: string | undefined;
  /** The body is a sample of the schema, not an example or what is stored. */
  readonly isDynamic: boolean;
  /** Seconds, at most 300. */
  readonly wait: number | undefined;
}

const maxWait = 300;

/** `name` or `name=value`, the value a token or quoted (RFC 7240 section 2). */
const itemPattern = /^\s*([\w!#$%&'*+.^`|~-]+)\s*(?:=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]*)))?/;

/** Links and forms cannot set headers, so they use `__code`, `__example` and `__dynamic`. */
export const preferredInQuery = /(?:^|&)__(?:code|example|dynamic)(?:[=&]|$)/;

/** If a preference is repeated, the first counts (RFC 7240). */
export function readPreference(headers: RequestHeaders, query = ''): Preference {
  const values = parsePreferences(headerText(headers, 'prefer') ?? '');
  const inQuery = new URLSearchParams(query);
  const read = (name: string): string | undefined =>
    values.get(name) ?? inQuery.get(`__${name}`) ?? undefined;
  return {
    code: readNumber(read('code'), /^[1-5]\d\d$/, 599),
    example: read('example'),
    isDynamic: /^(?:true)?$/i.test(read('dynamic') ?? 'false'),
    wait: readNumber(values.get('wait'), /^\d+(?:\.\d+)?$/, maxWait),
  };
}

/** Preferences by name, in lower case and in order; `` for one without a value. */
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

/** A response that a preference asks for, instead of what the operation does. */
export interface PreferredResponse {
  readonly outcome: Outcome;
  /** For `Preference-Applied`: `code=429`. */
  readonly applied: readonly string[];
  /** Values of its rate-limit headers; undefined for the real ones. */
  readonly rate: LimitReading | undefined;
}

/** The documented response that is preferred; undefined for none or the usual one. */
export function answerPreference(
  { sandbox, meter }: Caller,
  operation: Operation,
  preference: Preference,
  { now, index }: { readonly now: number; readonly index: number },
): PreferredResponse | undefined {
  const { code, example: name } = preference;
  const numbered = operation.responses.filter((one) => /^\d+$/.test(one.status));
  const named = name === undefined ? undefined : findExample(numbered, name);
  const usual = successStatus(operation);
  const status = code ?? Number(named?.response.status ?? usual);
  const response = documentedResponse(operation, status);
  if (response === undefined) return undefined;
  // An example that the status lacks is ignored; one that it has is more specific than a sample.
  const wanted = name === undefined ? undefined : findExample([response], name);
  const isDynamic = preference.isDynamic && wanted === undefined;
  if (!isDynamic && wanted === undefined && status === usual) return undefined;
  const example = wanted ?? (isDynamic ? undefined : findExample([response]));
  const applied = [
    ...(code === undefined ? [] : [`code=${code}`]),
    ...(wanted === undefined || name === undefined ? [] : [`example=${quote(name)}`]),
    ...(isDynamic ? ['dynamic=true'] : []),
  ];
  const { error, rateLimit } = sandbox.service.contract;
  const spent = status === rateLimit?.status ? meter.pretendSpent(now) : undefined;
  if (spent !== undefined)
    return { outcome: refuseOverLimit(spent.overLimit), applied, rate: spent.rate };
  const content = chooseContent(response.content);
  const schema = content?.schema;
  if (isDynamic && content !== undefined && schema !== undefined) {
    const seed = `${sandbox.name} ${index}`;
    const { value } = sampleSchema(schema, { direction: 'response', seed });
    const outcome = represent(status, value, content, factsOf(operation, status));
    return { outcome, applied, rate: undefined };
  }
  const member = error?.members.find(({ role }) => role === 'message')?.name ?? '';
  const [shown] = schema?.shape().properties.get(member)?.shape().examples ?? [];
  const message = 'The Prefer header of the request asks for this response.';
  const said = typeof shown === 'string' ? shown : message;
  const outcome = showDocumented(operation, status, example, 'preferred', said);
  return { outcome, applied, rate: undefined };
}

/** A token as it is, anything else quoted (RFC 9110 section 5.6.4). */
function quote(text: string): string {
  return /^[\w!#$%&'*+.^`|~-]+$/.test(text) ? text : `"${text.replace(/["\\]/g, '\\$&')}"`;
}
