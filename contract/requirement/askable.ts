import { jsonContent } from '../openapi/media-type.ts';
import type { Operation } from '../openapi/operation.ts';
import type { Parameter } from '../openapi/parameter.ts';
import type { RateLimitPolicy } from '../openapi/rate-limit.ts';

/**
 * Whether some request has to be answered with a status: a success, the refusal of what breaks the
 * contract, that of a caller without a key, of what is not there, or beyond the rate limit. Others,
 * such as 403 and 500, come from what a server holds or does; members of their bodies have no
 * requirements of their own.
 */
export function isAskable(
  operation: Operation,
  status: string,
  rateLimit: RateLimitPolicy | undefined,
): boolean {
  if (/^([23]|default)/.test(status)) return true;
  if (status === '401') return operation.credential.kind !== 'none';
  if (status === '404') return operation.parameters.some(isOpenIdentifier);
  if (status === String(rateLimit?.status)) return true;
  const refused = refusalStatus(operation);
  const isRefusal = status === String(refused) || (status === '4XX' && refused !== undefined);
  return isRefusal && (takesJson(operation) || operation.parameters.some(isBreakable));
}

function takesJson({ requestBody }: Operation): boolean {
  return jsonContent(requestBody?.content ?? [])?.schema !== undefined;
}

/** A path parameter that takes more values than a document can list. */
export function isOpenIdentifier({ in: place, schema }: Parameter): boolean {
  const { values, types } = schema.shape();
  const isText = types.some((type) => type === 'string' || type === 'integer');
  return place === 'path' && values === undefined && isText;
}

/** A query parameter of which some texts are no values. */
export function isBreakable({ in: place, schema }: Parameter): boolean {
  const { values, types } = schema.shape();
  const isNumber = types.every((type) => ['integer', 'number', 'boolean'].includes(type));
  return place === 'query' && types.length > 0 && (isNumber || values !== undefined);
}

/**
 * The status by which an operation refuses what breaks the contract: 400 or 422, else 400 where the
 * document has a response for every 4xx; undefined where it announces no refusal.
 */
export function refusalStatus({ responses }: Operation): number | undefined {
  const found = responses.find(({ status }) => /^4(00|22)$/.test(status))?.status;
  if (found !== undefined) return Number(found);
  return responses.some(({ status }) => /^(4XX|default)$/i.test(status)) ? 400 : undefined;
}
