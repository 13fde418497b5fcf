import type { JsonValue } from '../../contract/json/value.ts';
import type { MediaType } from '../../contract/openapi/media-type.ts';
import type { Operation } from '../../contract/openapi/operation.ts';
import { sampleSchema } from '../../contract/sample/sample.ts';
import { type Outcome, success } from '../operation/response/outcome.ts';
import { type Preference, type Preferred, findPreferred } from '../operation/request/preference.ts';
import type { HeaderFacts } from '../operation/response/refusal.ts';
import { refuse, refuseOverLimit } from '../operation/response/refusal.ts';
import {
  chooseContent,
  renderBody,
  typeOf,
  valueOf,
} from '../operation/response/representation.ts';
import type { LimitReading } from '../rate-limit/limiter.ts';
import type { Caller } from './sandbox.ts';

/** A response that a preference asks for, in place of what the operation would do. */
export interface PreferredResponse {
  readonly outcome: Outcome;
  /** For `Preference-Applied`: `code=429`. */
  readonly applied: readonly string[];
  /** What its rate-limit headers say; undefined for the truth. */
  readonly rate: LimitReading | undefined;
}

/** The documented response that `code` and `example` ask for; undefined where there is none. */
export function answerPreference(
  { sandbox, meter }: Caller,
  operation: Operation,
  preference: Preference,
  { now, index }: { readonly now: number; readonly index: number },
): PreferredResponse | undefined {
  const preferred = findPreferred(operation, preference);
  if (preferred === undefined) return undefined;
  const applied = [
    ...(preference.code === undefined ? [] : [`code=${preference.code}`]),
    ...(preference.example === undefined ? [] : [`example=${quote(preference.example)}`]),
    ...(preference.isDynamic ? ['dynamic=true'] : []),
  ];
  const { rateLimit } = sandbox.service.contract;
  const spent = preferred.status === rateLimit?.status ? meter.pretendSpent(now) : undefined;
  if (spent !== undefined)
    return { outcome: refuseOverLimit(spent.overLimit), applied, rate: spent.rate };
  const { security } = operation;
  const facts = preferred.status === 401 ? { challenge: { security } } : undefined;
  const seed = preference.isDynamic ? `${sandbox.name} ${index}` : undefined;
  return { outcome: outcomeOf(preferred, facts, seed), applied, rate: undefined };
}

function outcomeOf(
  { status, response, example }: Preferred,
  facts: HeaderFacts | undefined,
  seed: string | undefined,
): Outcome {
  if (example !== undefined) return bodied(status, example.content, example.value, facts);
  if (status >= 400 && response.content.length > 0 && seed === undefined)
    return refuse('preferred', 'The Prefer header of the request asks for this response.', {
      status,
      ...(facts && { facts }),
    });
  const content = chooseContent(response.content, undefined);
  if (content === undefined) return success(status, '', facts);
  const { schema } = content;
  const value =
    seed === undefined || schema === undefined
      ? valueOf(content)
      : sampleSchema(schema, { direction: 'response', seed }).value;
  return bodied(status, content, value, facts);
}

function bodied(
  status: number,
  content: MediaType,
  value: JsonValue,
  facts: HeaderFacts | undefined,
): Outcome {
  return { ...success(status, renderBody(value, content), facts), mediaType: typeOf(content) };
}

/** A token as it is, anything else quoted (RFC 9110 section 5.6.4). */
function quote(text: string): string {
  return /^[\w!#$%&'*+.^`|~-]+$/.test(text) ? text : `"${text.replace(/["\\]/g, '\\$&')}"`;
}
