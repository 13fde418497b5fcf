import type { Parts, WireResponse } from '../service/behaviour.ts';
import { type Variant, createVariants } from '../subject/variant.ts';

const further =
  'RFC 9110 section 5.1: a recipient ignores header fields that it does not know; the interface excludes none.';
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

/** Header fields in other forms and company. */
export const headerVariants: readonly Variant[] = createVariants('header', further, {
  padded: [
    'Values of the rate-limit headers have spaces around them.',
    mapHeaders((name, value) => [name, name.startsWith('X-RateLimit') ? `  ${value}  ` : value]),
    'RFC 9110 section 5.5: white space around a value is no part of it.',
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
});
