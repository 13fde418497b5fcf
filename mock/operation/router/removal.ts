import type { EndpointPlace } from '../endpoint.ts';
import type { Choices } from '../../choice/choices.ts';
import { type Router, createRouter } from './router.ts';

/** The router for an instant, milliseconds since 1970. */
export type RouterAt = (now: number) => Router;

/** Routers for before and after each removal: an operation is there until its `x-sunset`, UTC. */
export function compileRouters(endpoints: readonly EndpointPlace[], choices: Choices): RouterAt {
  const { contract } = choices;
  const hidesMethods = choices.choose('undescribed-requests').id === 'not-found';
  const hasVersions = choices.choose('versioning').id === 'several-versions';
  const open = (now: number): Router => {
    const isRemoved = (endpoint: EndpointPlace): boolean => now >= removalOf(endpoint);
    const removed = endpoints.filter(isRemoved);
    const there = endpoints.filter((endpoint) => !isRemoved(endpoint));
    const router = createRouter(contract, there, { hidesMethods, removed });
    return hasVersions ? serveNextVersion(router, contract.basePath) : router;
  };
  const ends = [...new Set(endpoints.map(removalOf))]
    .filter(Number.isFinite)
    .toSorted((a, b) => a - b);
  const first = open(Number.NEGATIVE_INFINITY);
  if (ends.length === 0) return () => first;
  const later = new Map<number, Router>();
  return (now) => {
    if (!(now >= (ends[0] ?? now))) return first;
    const epoch = ends.filter((end) => end <= now).length;
    const router = later.get(epoch) ?? open(now);
    later.set(epoch, router);
    return router;
  };
}

/** When an operation goes away; never where its document gives no date. */
function removalOf({ operation }: EndpointPlace): number {
  const sunset = operation?.deprecation?.sunset;
  return sunset === undefined ? Number.POSITIVE_INFINITY : Date.parse(sunset);
}

/** A base path that ends in a version, such as `/v1`. */
const versionPattern = /^(.*\/v)(\d+)$/;

/** Serves `/v2/pets` as `/v1/pets`, where the base path ends in a version. */
function serveNextVersion(router: Router, basePath: string): Router {
  const [, start, version] = versionPattern.exec(basePath) ?? [];
  if (start === undefined) return router;
  const next = `${start}${Number(version) + 1}`;
  return {
    find(method, target, headers) {
      const rest = target.startsWith(next) ? target.slice(next.length) : undefined;
      const isNext = rest !== undefined && /^(?:[/?]|$)/.test(rest);
      return router.find(method, isNext ? basePath + rest : target, headers);
    },
  };
}
