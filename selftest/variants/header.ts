import type { WireResponse, ServiceBehaviour } from '../service/behaviour.ts';
import type { Variant } from '../subject/variant.ts';

const further =
  'RFC 9110 section 5.1: a recipient ignores header fields that it does not know; the interface excludes none.';
const names = 'RFC 9110 section 5.1: the names of header fields have no case.';
const media =
  'RFC 9110 section 8.3.1: names of types and of parameters have no case, and parameters may follow.';

function withHeaders(
  id: string,
  summary: string,
  headers: (wireResponse: WireResponse) => Readonly<Record<string, string>>,
  lawful: string = further,
): Variant {
  const finish: ServiceBehaviour['finish'] = (wireResponse) => ({
    ...wireResponse,
    headers: { ...wireResponse.headers, ...headers(wireResponse) },
  });
  return { id: `header-${id}`, summary, lawful, behaviour: () => ({ finish }) };
}

function renamed(id: string, summary: string, rename: (name: string) => string): Variant {
  const finish: ServiceBehaviour['finish'] = (wireResponse) => ({
    ...wireResponse,
    headers: Object.fromEntries(
      Object.entries(wireResponse.headers).map(([name, value]) => [rename(name), value]),
    ),
  });
  return { id: `header-${id}`, summary, lawful: names, behaviour: () => ({ finish }) };
}

function typed(id: string, type: string): Variant {
  const write = ({ bytes }: WireResponse): Readonly<Record<string, string>> =>
    bytes.length > 0 ? { 'Content-Type': type } : {};
  return withHeaders(`type-${id}`, `The content type is written \`${type}\`.`, write, media);
}

function alternate(name: string): string {
  return Array.from(name, (letter, index) =>
    index % 2 === 0 ? letter.toLowerCase() : letter.toUpperCase(),
  ).join('');
}

/** Header fields in other cases, forms and company. */
export const headerVariants: readonly Variant[] = [
  renamed('lower-case', 'Header names are in lower case.', (name) => name.toLowerCase()),
  renamed('upper-case', 'Header names are in capitals.', (name) => name.toUpperCase()),
  renamed('mixed-case', 'Header names change case with each letter.', alternate),
  withHeaders(
    'padded',
    'Values of the rate-limit headers have spaces around them.',
    ({ headers }) =>
      Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [
          name,
          name.startsWith('X-RateLimit') ? `  ${value}  ` : value,
        ]),
      ),
    'RFC 9110 section 5.5: white space around a value is no part of it.',
  ),
  typed('charset', 'application/json;charset=UTF-8'),
  typed('quoted-charset', 'application/json; charset="utf-8"'),
  typed('case', 'Application/JSON'),
  typed('parameters', 'application/json; v=1; profile="https://petstore.example/v1"'),
  withHeaders('caching', 'Answers have an ETag and are never cached.', ({ status }) => ({
    ETag: `W/"${status}"`,
    'Cache-Control': 'no-store, max-age=0',
    Vary: 'Authorization',
    Expires: '0',
    Age: '0',
  })),
  withHeaders('deprecation', 'Answers tell of the removal of the deprecated operation.', () => ({
    Sunset: 'Thu, 05 Dec 2030 00:00:00 GMT',
    Deprecation: '@1735689600',
    Link: '</v1/pets>; rel="successor-version"',
  })),
  withHeaders(
    'experimental',
    'Answers are marked as experimental.',
    () => ({ 'X-Experimental': 'true', Warning: '299 - "beta"' }),
    'Endpoints / Gaps in the endpoints: which operations are experimental or beta is not shown (x-unspecified experimental-operations).',
  ),
  withHeaders('gateway', 'A gateway leaves its marks in each response.', () => ({
    Server: 'gateway',
    Via: '1.1 edge',
    'X-Request-Id': '00-4bf92f',
    'Strict-Transport-Security': 'max-age=31536000',
    'Set-Cookie': 'node=a; Path=/; HttpOnly',
    'Access-Control-Allow-Origin': '*',
    'Alt-Svc': 'h3=":443"',
  })),
  withHeaders('other-quota', 'Answers tell the quota in the fields of the IETF draft too.', () => ({
    RateLimit: '"default";r=50;t=30',
    'RateLimit-Policy': '"default";q=100;w=60',
    'X-RateLimit-Used': '3',
    'X-RateLimit-Resource': 'core',
  })),
  withHeaders(
    'location',
    'A 201 has a Location.',
    ({ status }) =>
      status === 201 ? { Location: '/v1/pets/new', 'Content-Location': '/v1/pets/new' } : {},
    'RFC 9110 section 15.3.2: a 201 may name what was created.',
  ),
  withHeaders(
    'many-challenges',
    'A 401 has several challenges.',
    ({ status }) =>
      status === 401
        ? { 'WWW-Authenticate': 'Basic realm="a, b", Bearer realm="pets", error="invalid_token"' }
        : {},
    'RFC 9110 section 11.6.1: a 401 may offer several challenges.',
  ),
  {
    id: 'header-no-challenge',
    summary: 'A 401 has no challenge.',
    lawful:
      'Authentication: the 401 is documented with an Error body; the interface names no WWW-Authenticate.',
    behaviour: () => ({
      render: (response) => ({
        ...response,
        headers: Object.fromEntries(
          Object.entries(response.headers).filter(([name]) => name !== 'WWW-Authenticate'),
        ),
      }),
    }),
  },
  withHeaders(
    'close',
    'Every connection is closed after its response.',
    () => ({ Connection: 'close' }),
    'RFC 9112 section 9.6: a server may close a connection after any response.',
  ),
  withHeaders('no-keep-alive-hint', 'Answers tell a keep-alive of one second.', () => ({
    Connection: 'keep-alive',
    'Keep-Alive': 'timeout=1, max=5',
  })),
];
