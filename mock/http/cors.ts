import type { Contract, Credential } from '../../contract/index.ts';

/** Seconds for which a browser may keep the response to a preflight. */
const MAX_AGE = 600;

/** The header that marks experimental operations, where the choices say that some are. */
export const MARK = 'X-Experimental';

const ALWAYS_EXPOSED = [
  'Date',
  'Retry-After',
  'Deprecation',
  'Sunset',
  'Link',
  'Location',
  'WWW-Authenticate',
  'Allow',
  'Preference-Applied',
  MARK,
];

/**
 * On every response: any origin may read it, and the headers that are not safelisted, by name (Fetch
 * standard, section CORS protocol). Without credentials mode, since keys are sent in headers.
 */
export function corsHeaders({ rateLimit }: Contract): readonly string[] {
  const limits = rateLimit === undefined ? [] : Object.values(rateLimit.headers);
  const exposed = new Map([...limits, ...ALWAYS_EXPOSED].map((name) => [name.toLowerCase(), name]));
  return [
    'Access-Control-Allow-Origin',
    '*',
    'Access-Control-Expose-Headers',
    [...exposed.values()].join(', '),
  ];
}

/**
 * On the response to a preflight: methods of the path and headers that requests may have. Those of
 * the document by name, since `*` never stands for `Authorization` and older browsers do not know
 * it; all others, which clients and tracers add, by `*`.
 */
export function preflightHeaders(
  contract: Contract,
  methods: readonly string[],
): readonly string[] {
  const names = contract.operations.flatMap(({ credential, parameters }) => [
    ...credentialHeader(credential),
    ...parameters.filter((parameter) => parameter.in === 'header').map(({ name }) => name),
  ]);
  const headers = new Map(
    ['Authorization', 'Content-Type', 'Prefer', ...names].map((name) => [name.toLowerCase(), name]),
  );
  return [
    'Access-Control-Allow-Methods',
    methods.join(', '),
    'Access-Control-Allow-Headers',
    [...headers.values(), '*'].join(', '),
    'Access-Control-Max-Age',
    `${MAX_AGE}`,
  ];
}

function credentialHeader(credential: Credential): readonly string[] {
  return credential.kind === 'api-key' && credential.in === 'header' ? [credential.name] : [];
}
