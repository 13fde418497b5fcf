import { isJsonObject } from '../contract/json/value.ts';
import { trimEnd } from '../contract/http/address.ts';
import type { Contract } from '../contract/contract.ts';
import { largest } from '../contract/list/list.ts';
import { routerOf } from '../conformance/index.ts';
import type { RecordedExchange } from './recorded.ts';

/** A URL relative to a base URL: `/pets?limit=1`; undefined if it is not below it. */
export function relativeTarget(url: string, baseUrl: string): string | undefined {
  const rest = url.startsWith(baseUrl) ? url.slice(baseUrl.length) : undefined;
  return rest !== undefined && /^[/?]/.test(rest) ? rest : undefined;
}

/**
 * The base URL of the service in a recording: a server of the document that occurs in it, else the
 * origin with most requests that the document describes; undefined if there is none. The path of
 * the first server is used as the base path (OpenAPI 3.1, Server Object).
 */
export function inferBaseUrl(
  contract: Contract,
  exchanges: readonly RecordedExchange[],
): string | undefined {
  return findBase(contract, exchanges, (origin) => [origin + contract.basePath]);
}

/**
 * Like `inferBaseUrl`, but also tries any other base path. Good enough for a guess, not for a
 * verdict.
 */
export function inferAnyBaseUrl(
  contract: Contract,
  exchanges: readonly RecordedExchange[],
): string | undefined {
  return findBase(contract, exchanges, (origin, path) => [
    origin + contract.basePath,
    ...[...path.matchAll(/\/|$/g)].map(({ index }) => origin + path.slice(0, index)),
  ]);
}

function findBase(
  contract: Contract,
  exchanges: readonly RecordedExchange[],
  basesOf: (origin: string, path: string) => readonly string[],
): string | undefined {
  const route = routerOf(contract);
  const servers = listServers(contract);
  const counts = new Map(servers.map((base) => [base, 0]));
  for (const { request } of exchanges) {
    const { origin = 'null', pathname = '' } = URL.parse(request.url) ?? {};
    const own = origin === 'null' ? [] : basesOf(origin, pathname);
    for (const base of new Set([...servers, ...own])) {
      const target = relativeTarget(request.url, base);
      if (target !== undefined && route(request.method, target).kind === 'operation')
        counts.set(base, (counts.get(base) ?? 0) + 1);
    }
  }
  const rank = (base: string, count: number): number =>
    2 * count + Number(base.endsWith(contract.basePath));
  const found = [...counts].filter(([, count]) => count > 0);
  const most = largest(found.map(([base, count]) => rank(base, count)));
  return found.find(([base, count]) => rank(base, count) === most)?.[0];
}

/** The absolute URLs of the document's servers, without templates. */
function listServers({ document }: Contract): readonly string[] {
  const servers = document['servers'];
  if (!Array.isArray(servers)) return [];
  return servers.flatMap((server) => {
    const url = isJsonObject(server) ? server['url'] : undefined;
    const isWhole = typeof url === 'string' && /^https?:\/\/[^{}]+$/.test(url);
    return isWhole ? [trimEnd(url, '/')] : [];
  });
}
