import type { Operation } from '../openapi/operation.ts';

/**
 * The status by which an operation refuses what breaks the contract: 400 or 422, else 400 where the
 * document has a response for every 4xx; undefined where it announces no refusal.
 */
export function refusalStatus({ responses }: Operation): number | undefined {
  const found = responses.find(({ status }) => /^4(00|22)$/.test(status))?.status;
  if (found !== undefined) return Number(found);
  return responses.some(({ status }) => /^(4XX|default)$/i.test(status)) ? 400 : undefined;
}
