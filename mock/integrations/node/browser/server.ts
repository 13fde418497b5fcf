import type { Listening } from '../server.ts';

export type { Listening, ListenOptions } from '../server.ts';

/** Replaces `mock/integrations/node/server.ts` in a browser, which cannot listen. Always rejects. */
export function listen(): Promise<Listening> {
  return Promise.reject(
    new Error(
      'A browser cannot listen on a port: use mockHandlers of petstore-contract/msw, or createFetch of petstore-contract/fetch.',
    ),
  );
}
