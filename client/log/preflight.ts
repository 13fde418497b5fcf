import type { SentRequest } from '../../conformance/index.ts';

/**
 * Whether a browser sent it on its own, to ask whether a page may send a request (Fetch standard,
 * CORS-preflight request): it is not a request of the client.
 */
export function isPreflight({ method, headers }: Pick<SentRequest, 'method' | 'headers'>): boolean {
  return (
    method === 'OPTIONS' &&
    headers.some(([name]) => name.toLowerCase() === 'access-control-request-method')
  );
}
