import type { Operation } from './operation.ts';

/** The statuses that say that a request was refused and nothing was done. */
export const refusalStatuses = [400, 401, 422] as const;

/**
 * The status by which an operation refuses what breaks the contract: 400 or 422, else 400 where the
 * document has a response for every 4xx; undefined where it announces no refusal.
 */
export function refusalStatus({ responses }: Operation): number | undefined {
  const found = responses.find(({ status }) => /^4(00|22)$/.test(status))?.status;
  if (found !== undefined) return Number(found);
  return responses.some(({ status }) => /^(4XX|default)$/i.test(status)) ? 400 : undefined;
}
