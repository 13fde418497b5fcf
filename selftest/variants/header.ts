import type { Parts, WireResponse } from '../service/behaviour.ts';
import { type Variant, createVariants, listVariants } from '../subject/variant.ts';

const further =
  'RFC 9110 section 5.1: a recipient ignores header fields that it does not know; the interface excludes none.';
const names = 'RFC 9110 section 5.1: the names of header fields have no case.';
const media =
  'RFC 9110 section 8.3.1: names of types and of parameters have no case, and parameters may follow.';

type Headers = Readonly<Record<string, string>>;

const changeHeaders = (
  change: (headers: Headers, wireResponse: WireResponse) => Headers,
): Parts => ({
  finish: (wireResponse) => ({
    ...wireResponse,
    headers: change(wireResponse.headers, wireResponse),
  }),
});

/** Adds headers; with a status to responses of that status only. */
const add = (more: Headers, only?: number): Parts =>
  changeHeaders((headers, { status }) =>
    only === undefined || only === status ? { ...headers, ...more } : headers,
  );

const mapHeaders = (change: (name: string, value: string) => readonly [string, string]): Parts =>
  changeHeaders((headers) =>
    Object.fromEntries(Object.entries(headers).map(([name, value]) => change(name, value))),
  );

const rename = (change: (name: string) => string): Parts =>
  mapHeaders((name, value) => [change(name), value]);

function typed(id: string, type: string): Variant {
  const behaviour = (): Parts =>
    changeHeaders((headers, { bytes }) =>
      bytes.length > 0 ? { ...headers, 'Content-Type': type } : headers,
    );
  const summary = `The content type is written \`${type}\`.`;
  return { id: `header-type-${id}`, summary, valid: media, behaviour };
}

function alternate(name: string): string {
  return Array.from(name, (letter, index) =>
    index % 2 === 0 ? letter.toLowerCase() : letter.toUpperCase(),
  ).join('');
}

/** Header fields in other cases, forms and company. */
export const headerVariants: readonly Variant[] = [
  ...listVariants('header', names, rename, {
    'lower-case': ['Header names are in lower case.', (name) => name.toLowerCase()],
    'upper-case': ['Header names are in capitals.', (name) => name.toUpperCase()],
    'mixed-case': ['Header names change case with each letter.', alternate],
  }),
  ...createVariants('header', further, {
    padded: [
      'Values of the rate-limit headers have spaces around them.',
      mapHeaders((name, value) => [name, name.startsWith('X-RateLimit') ? `  ${value}  ` : value]),
      'RFC 9110 section 5.5: white space around a value is no part of it.',
    ],
  }),
  typed('charset', 'application/json;charset=UTF-8'),
  typed('quoted-charset', 'application/json; charset="utf-8"'),
  typed('case', 'Application/JSON'),
  typed('parameters', 'application/json; v=1; profile="https://petstore.example/v1"'),
  ...createVariants('header', further, {
    caching: [
      'Answers have an ETag and are never cached.',
      changeHeaders((headers, { status }) => ({
        ...headers,
        ETag: `W/"${status}"`,
        'Cache-Control': 'no-store, max-age=0',
        Vary: 'Authorization',
        Expires: '0',
        Age: '0',
      })),
    ],
    deprecation: [
      'Answers tell of the removal of the deprecated operation.',
      add({
        Sunset: 'Thu, 05 Dec 2030 00:00:00 GMT',
        Deprecation: '@1735689600',
        Link: '</v1/pets>; rel="successor-version"',
      }),
    ],
    experimental: [
      'Answers are marked as experimental.',
      add({ 'X-Experimental': 'true', Warning: '299 - "beta"' }),
      'Endpoints / Gaps in the endpoints: which operations are experimental or beta is not shown (x-unspecified experimental-operations).',
    ],
    gateway: [
      'A gateway leaves its marks in each response.',
      add({
        Server: 'gateway',
        Via: '1.1 edge',
        'X-Request-Id': '00-4bf92f',
        'Strict-Transport-Security': 'max-age=31536000',
        'Set-Cookie': 'node=a; Path=/; HttpOnly',
        'Access-Control-Allow-Origin': '*',
        'Alt-Svc': 'h3=":443"',
      }),
    ],
    'other-quota': [
      'Answers tell the quota in the fields of the IETF draft too.',
      add({
        RateLimit: '"default";r=50;t=30',
        'RateLimit-Policy': '"default";q=100;w=60',
        'X-RateLimit-Used': '3',
        'X-RateLimit-Resource': 'core',
      }),
    ],
    'reset-fraction': [
      'Reset has the milliseconds of the clock behind the point.',
      mapHeaders((name, value) => [name, name === 'X-RateLimit-Reset' ? `${value}.481` : value]),
      'Limits / Rate limit headers: Reset is a Unix timestamp; that it is a whole number is not said.',
    ],
    location: [
      'A 201 has a Location.',
      add({ Location: '/v1/pets/new', 'Content-Location': '/v1/pets/new' }, 201),
      'RFC 9110 section 15.3.2: a 201 may name what was created.',
    ],
    'many-challenges': [
      'A 401 has several challenges.',
      add(
        { 'WWW-Authenticate': 'Basic realm="a, b", Bearer realm="pets", error="invalid_token"' },
        401,
      ),
      'RFC 9110 section 11.6.1: a 401 may offer several challenges.',
    ],
    'no-challenge': [
      'A 401 has no challenge.',
      {
        render: ({ headers: { 'WWW-Authenticate': _challenge, ...headers }, ...response }) => ({
          ...response,
          headers,
        }),
      },
      'Authentication: the 401 is documented with an Error body; the interface names no WWW-Authenticate.',
    ],
    close: [
      'Every connection is closed after its response.',
      add({ Connection: 'close' }),
      'RFC 9112 section 9.6: a server may close a connection after any response.',
    ],
    'no-keep-alive-hint': [
      'Answers tell a keep-alive of one second.',
      add({ Connection: 'keep-alive', 'Keep-Alive': 'timeout=1, max=5' }),
    ],
  }),
];
