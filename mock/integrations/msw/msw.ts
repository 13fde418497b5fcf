import { http } from 'msw';
import { trimEnd } from '../../../contract/http/address.ts';
import { createFetch } from '../fetch/fetch.ts';
import { ConnectionBroken, type IntegrationCore } from '../in-process.ts';

/**
 * Handlers of MSW for every request under a base URL, in Node and in a browser. Its path, if any,
 * replaces the base path of the document. Throws `TypeError` for anything but an http or https URL.
 */
export function mockHandlers(
  core: IntegrationCore,
  baseUrl: string | URL,
): ReturnType<typeof http.all>[] {
  const base = new URL(baseUrl);
  if (base.pathname === '/') base.pathname = core.contract.basePath;
  const fetch = createFetch(core, { baseUrl: base });
  const prefix = trimEnd(base.href, '/');
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
