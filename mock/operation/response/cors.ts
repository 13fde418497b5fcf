import { isFieldName } from '../../../contract/openapi/header.ts';
import type { Contract } from '../../../contract/contract.ts';
import { joinWithin } from '../../http/field.ts';

/** The header that marks experimental operations, where the choices say that some are. */
export const experimentalHeader = 'X-Experimental';

/** Seconds for which a browser may keep the response to a preflight. */
const maxAge = 600;

const exposedAlways = [
  ...'Date Retry-After Deprecation Sunset Link Location'.split(' '),
  ...'WWW-Authenticate Allow Preference-Applied'.split(' '),
  experimentalHeader,
];

/** Header lines of the CORS protocol (Fetch standard). */
export interface CorsHeaders {
  /** On every response. */
  readonly common: readonly string[];
  /** On the response to a preflight for a path with these methods. */
  ofPreflight(methods: readonly string[]): readonly string[];
}

/** No page gets anything to read. */
export const noCors: CorsHeaders = { common: [], ofPreflight: () => [] };

/** Pages of any origin, or of one, may read responses. Keys are sent in headers only. */
export function compileCors(contract: Contract, origin = '*'): CorsHeaders {
  const { rateLimit, operations } = contract;
  const exposed = [...Object.values(rateLimit?.headers ?? {}), ...exposedAlways];
  // By name, since `*` never includes `Authorization` and older browsers do not know it; all
  // others, which clients and tracers add, by `*`.
  const allowed = ['Authorization', 'Content-Type', 'Prefer'];
  for (const { responses, security, parameters } of operations) {
    for (const { headers } of responses) for (const { name } of headers) exposed.push(name);
    const keys = security.flat().filter((scheme) => scheme.kind === 'api-key');
    for (const sent of [...keys, ...parameters]) if (sent.in === 'header') allowed.push(sent.name);
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

/** Each name once, whatever its case; those at the end are left out of what would be too long. */
function listNames(names: readonly string[]): string {
  const tokens = names.filter(isFieldName);
  return joinWithin([...new Map(tokens.map((name) => [name.toLowerCase(), name])).values()]);
}
