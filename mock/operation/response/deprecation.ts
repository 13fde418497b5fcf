import type { Contract, Deprecation, Operation } from '../../../contract/index.ts';
import { renderHttpDate } from '../../http/date.ts';

/**
 * Headers of a deprecated operation: `Deprecation` (RFC 9745, only with a date), `Sunset` (RFC
 * 8594) and the `Link` to its successor (RFC 5829). Empty for an operation that is not deprecated.
 */
export function deprecationHeaders(
  contract: Contract,
  { deprecation }: Operation,
): readonly string[] {
  if (deprecation === undefined) return [];
  const { since, sunset } = deprecation;
  const successor = successorPath(contract, deprecation);
  return [
    ...(since === undefined ? [] : ['Deprecation', `@${Math.floor(Date.parse(since) / 1000)}`]),
    ...(sunset === undefined ? [] : ['Sunset', renderHttpDate(Date.parse(sunset))]),
    ...(successor === undefined ? [] : ['Link', `<${successor}>; rel="successor-version"`]),
  ];
}

/** A successor with parameters in its path has no one address, so it gets no link. */
function successorPath(
  { operations, basePath }: Contract,
  { successor }: Deprecation,
): string | undefined {
  const path = operations.find(({ id }) => id === successor)?.path;
  return path === undefined || path.includes('{') ? undefined : basePath + path;
}
