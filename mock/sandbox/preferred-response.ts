import { type Operation, renderJson } from '../../contract/index.ts';
import { renderChallenge } from '../operation/request/credential.ts';
import type { Meter } from '../rate-limit/meter.ts';
import { type Outcome, success } from '../operation/response/outcome.ts';
import { type Preference, type Preferred, findPreferred } from '../operation/request/preference.ts';
import { refuse } from '../http/refusal.ts';
import type { Service } from './service.ts';

/** A response that a preference asks for, in place of what the operation would do. */
export interface PreferredResponse {
  readonly outcome: Outcome;
  /** For `Preference-Applied`: `code=429`. */
  readonly applied: readonly string[];
  /** Rate-limit headers that go with it; undefined for the true ones. */
  readonly rateHeaders: readonly string[] | undefined;
}

/**
 * The response that `code` and `example` ask for, always one that the document documents; undefined
 * where there is none.
 */
export function answerPreference(
  { contract }: Service,
  operation: Operation,
  preference: Preference,
  meter: Meter,
  now: number,
): PreferredResponse | undefined {
  const preferred = findPreferred(operation, preference);
  if (preferred === undefined) return undefined;
  const applied = [
    ...(preference.code === undefined ? [] : [`code=${preference.code}`]),
    ...(preference.example === undefined ? [] : [`example=${quote(preference.example)}`]),
  ];
  const spent =
    preferred.status === contract.rateLimit?.status ? meter.pretendSpent(now) : undefined;
  if (spent !== undefined) return { outcome: spent.refusal, applied, rateHeaders: spent.headers };
  const challenge =
    preferred.status === 401
      ? ['WWW-Authenticate', renderChallenge(operation.credential, contract.title, undefined)]
      : [];
  return { outcome: outcomeOf(preferred, challenge), applied, rateHeaders: undefined };
}

function outcomeOf({ status, response, example }: Preferred, headers: readonly string[]): Outcome {
  if (example !== undefined)
    return { ...success(status, renderJson(example.value), headers), mediaType: example.mediaType };
  if (status >= 400 && response.content.length > 0)
    return refuse('preferred', 'The request prefers this response.', { status, headers });
  return success(status, '', headers);
}

/** A token as it is, anything else quoted (RFC 9110 section 5.6.4). */
function quote(text: string): string {
  return /^[\w!#$%&'*+.^`|~-]+$/.test(text) ? text : `"${text.replace(/["\\]/g, '\\$&')}"`;
}
