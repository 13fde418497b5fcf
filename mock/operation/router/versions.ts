import type { Router } from './router.ts';

/** A base path that ends in a version, such as `/v1`. */
const versionPattern = /^(.*\/v)(\d+)$/;

/** Serves `/v2/pets` as `/v1/pets`, where the base path ends in a version. */
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
