import type { Router } from './router.ts';

/** A base path that ends in a version, such as `/v1`. */
const versionPattern = /^(.*\/v)(\d+)$/;

/**
 * Serves under the next version what is served under this one: `/v2/pets` as `/v1/pets`. A base
 * path without a version at its end has no next one.
 */
export function serveNextVersion(router: Router, basePath: string): Router {
  const [, start, version] = versionPattern.exec(basePath) ?? [];
  if (start === undefined) return router;
  const next = `${start}${Number(version) + 1}`;
  return {
    find(method, target) {
      const rest = target.startsWith(next) ? target.slice(next.length) : undefined;
      return router.find(
        method,
        rest !== undefined && /^(?:[/?]|$)/.test(rest) ? basePath + rest : target,
      );
    },
  };
}
