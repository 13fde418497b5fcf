import type { Contract } from '../../../contract/index.ts';
import type { Endpoint } from '../endpoint.ts';
import type { Choices } from '../../choice/choices.ts';
import { type Router, createRouter } from './router.ts';
import { serveNextVersion } from './versions.ts';

/** The router for an instant, milliseconds since 1970. */
export type RouterAt = (now: number) => Router;

/** Routers for before and after each removal: an operation is there until its `x-sunset`, UTC. */
export function compileRouters(
  contract: Contract,
  endpoints: readonly Endpoint[],
  choices: Choices,
): RouterAt {
  const hidesMethods = choices.choose('undescribed-requests').id === 'not-found';
  const hasVersions = choices.choose('versioning').id === 'several-versions';
  const open = (now: number): Router => {
    const [removed, there] = [
      endpoints.filter((endpoint) => isRemoved(endpoint, now)),
      endpoints.filter((endpoint) => !isRemoved(endpoint, now)),
    ];
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
function removalOf({ operation }: Endpoint): number {
  const sunset = operation?.deprecation?.sunset;
  return sunset === undefined ? Number.POSITIVE_INFINITY : Date.parse(sunset);
}

function isRemoved(endpoint: Endpoint, now: number): boolean {
  return now >= removalOf(endpoint);
}
