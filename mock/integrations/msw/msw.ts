import { http } from 'msw';
import { ConnectionBroken } from '../in-process/delivery.ts';
import type { IntegrationCore } from '../in-process/integration.ts';
import { createFetch } from '../fetch/fetch.ts';

/**
 * Handlers of MSW that have a mock answer every request under a base URL, in Node (`setupServer`)
 * and in a browser (`setupWorker`). The path of the base URL stands for the base path of the
 * document, and may be left out where it is the same. Throws `TypeError` for what is no http or
 * https URL.
 */
export function mockHandlers(
  core: IntegrationCore,
  baseUrl: string | URL,
): ReturnType<typeof http.all>[] {
  const base = new URL(baseUrl);
  if (base.pathname === '/') base.pathname = core.contract.basePath;
  const fetch = createFetch(core, { baseUrl: base });
  const prefix = base.href.replace(/\/+$/, '');
  return [prefix, `${prefix}/*`].map((path) =>
    http.all(path, ({ request }) =>
      fetch(request).catch((error: unknown) => errorOf(error, request)),
    ),
  );
}

/** MSW answers 500 for what a handler throws; these errors are the network's. */
function errorOf(error: unknown, { signal }: Request): Response {
  if (signal.aborted || (error instanceof Error && error.cause instanceof ConnectionBroken))
    return Response.error();
  throw error;
}
