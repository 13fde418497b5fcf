import { keyNames } from '../../../contract/openapi/credential.ts';
import { isFieldName } from '../../../contract/openapi/header.ts';
import type { Contract } from '../../../contract/contract.ts';
import { joinWithin } from '../../http/field.ts';

/** The header that marks experimental operations, if the choices say so. */
export const experimentalHeader = 'X-Experimental';

/** Seconds for which a browser may cache a preflight. */
const maxAge = 600;

const exposedAlways = [
  ...'Date Retry-After Deprecation Sunset Link Location'.split(' '),
  ...'WWW-Authenticate Allow Preference-Applied'.split(' '),
  experimentalHeader,
];

/** CORS headers (Fetch standard). */
export interface CorsHeaders {
  /** Sent with every response. */
  readonly common: readonly string[];
  /** Sent with the response to a preflight for a path with these methods. */
  ofPreflight(methods: readonly string[]): readonly string[];
}

/** Pages of other origins may read nothing. */
export const noCors: CorsHeaders = { common: [], ofPreflight: () => [] };

/** Pages of any origin, or of one, may read responses. Keys are only sent in headers. */
export function compileCors(contract: Contract, origin = '*'): CorsHeaders {
  const { rateLimit, operations } = contract;
  const exposed = [...Object.values(rateLimit?.headers ?? {}), ...exposedAlways];
  // By name, because `*` does not include `Authorization` and older browsers do not support it. `*`
  // covers headers that clients and tracers add.
  const allowed = ['Authorization', 'Content-Type', 'Prefer'];
  for (const operation of operations) {
    for (const { headers } of operation.responses)
      for (const { name } of headers) exposed.push(name);
    allowed.push(...keyNames(operation, 'header'));
    for (const { in: place, name } of operation.parameters)
      if (place === 'header') allowed.push(name);
  }
  return {
    common: [
      'Access-Control-Allow-Origin',
      origin,
      ...(origin === '*' ? [] : ['Vary', 'Origin']),
      'Access-Control-Expose-Headers',
      listNames(exposed),
    ],
    ofPreflight: (methods) => [
      'Access-Control-Allow-Methods',
      methods.join(', '),
      'Access-Control-Allow-Headers',
      `${listNames(allowed)}, *`,
      'Access-Control-Max-Age',
      `${maxAge}`,
    ],
  };
}

/** Each name once, ignoring case. Leaves out names for which the list has no room. */
function listNames(names: readonly string[]): string {
  const tokens = names.filter(isFieldName);
  return joinWithin([...new Map(tokens.map((name) => [name.toLowerCase(), name])).values()]);
}
