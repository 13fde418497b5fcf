import { isJsonObject, trimEnd, type Contract, largest } from '../../contract/index.ts';
import { compileRouter, relativeTarget } from './route.ts';
import type { RecordedExchange } from '../recorded/recorded.ts';

/**
 * The base address of the service in a recording: a server of the document that stands in it, else
 * the origin with most requests that the document describes; undefined where there is none. The
 * path of the first server is taken as the base path (OpenAPI 3.1, Server Object).
 */
export function inferBaseUrl(
  contract: Contract,
  exchanges: readonly RecordedExchange[],
): string | undefined {
  const route = compileRouter(contract);
  const bases = [
    ...listServers(contract),
    ...new Set(
      exchanges.flatMap(({ request }) => {
        const { origin = 'null' } = URL.parse(request.url) ?? {};
        return origin === 'null' ? [] : [origin + contract.basePath];
      }),
    ),
  ];
  const counted = [...new Set(bases)].map((base) => {
    const described = exchanges.filter(({ request }) => {
      const target = relativeTarget(request.url, base);
      return target !== undefined && route(request.method, target).kind === 'operation';
    });
    return { base, count: described.length };
  });
  const most = largest(
    counted.map(({ count }) => count),
    0,
  );
  return most === 0 ? undefined : counted.find(({ count }) => count === most)?.base;
}

/** The absolute addresses of the document's servers, without templates. */
function listServers({ document }: Contract): readonly string[] {
  const servers = document['servers'];
  if (!Array.isArray(servers)) return [];
  return servers.flatMap((server) => {
    const url = isJsonObject(server) ? server['url'] : undefined;
    const isWhole = typeof url === 'string' && /^https?:\/\/[^{}]+$/.test(url);
    return isWhole ? [trimEnd(url, '/')] : [];
  });
}
