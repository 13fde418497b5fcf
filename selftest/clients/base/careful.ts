import { parseExactly, renderExactly } from './json.ts';
import type { Attempt, Manner } from './session.ts';
import { listAddList } from './work.ts';

/** It keeps every rule, and shows each. */
export const careful: Manner = {
  retry(attempt) {
    const { method, response, tries } = attempt;
    if (tries > 5) return undefined;
    if (response === undefined) return method === 'POST' ? undefined : 200 * 2 ** tries;
    return response.status === 429
      ? Math.max(readRetryAfter(attempt), 500 * 2 ** (tries - 1))
      : undefined;
  },
  pause(attempt) {
    const { response, now } = attempt;
    if (response?.status === 429) return readRetryAfter(attempt);
    return response?.headers['x-ratelimit-remaining'] === '0'
      ? Number(response.headers['x-ratelimit-reset']) * 1000 - now + 20
      : 0;
  },
  authorize: (key) => ({ authorization: `Bearer ${key}` }),
  shape: (request) => request,
  parse: parseExactly,
  render: renderExactly,
  work: listAddList,
};

/** Milliseconds that a 429 asks for, and 20, since timers may be early; 0 for none. */
export function readRetryAfter({ response, now }: Pick<Attempt, 'response' | 'now'>): number {
  const text = response?.headers['retry-after'] ?? '';
  const wait = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now;
  return Number.isNaN(wait) ? 0 : wait + 20;
}
