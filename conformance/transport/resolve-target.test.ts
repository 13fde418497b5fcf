import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseBaseUrl, resolveTarget } from './target.ts';

/** What ends an authority, begins another one or leaves a path, plain and encoded. */
const parts = [
  '/',
  '/../',
  '..',
  '.',
  '//',
  '\\',
  '@',
  ':',
  '?',
  '#',
  '%2F',
  '%2e%2e',
  '%40',
  '%5c',
  '\t',
  '\n',
  '\u0000',
  'evil.example',
  '8080',
  'v2',
  'pets',
  'http://evil.example/',
  '[::1]',
  '\u{ff0f}',
  'é',
];
const texts = fc.oneof(
  fc.array(fc.constantFrom(...parts), { maxLength: 8 }).map((list) => list.join('')),
  fc.string({ unit: 'binary', maxLength: 20 }),
);
const hosts = fc.constantFrom(
  'localhost',
  'Pets.Example.org',
  '127.0.0.1',
  '[::1]',
  '[2001:db8::1]',
  'v1',
  'bücher.example',
);
const baseUrls = fc
  .record({
    scheme: fc.constantFrom('http', 'https', 'HTTP'),
    host: hosts,
    port: fc.constantFrom('', ':80', ':443', ':4010', ':'),
    path: fc.oneof(
      fc.constantFrom('', '/', '/v1', '/v1/', '/api/v1', '//'),
      texts.map((text) => `/${text}`),
    ),
  })
  .map(({ scheme, host, port, path }) => ({ host, text: `${scheme}://${host}${port}${path}` }))
  .filter(({ text }) => parses(text));

function parses(text: string): boolean {
  try {
    parseBaseUrl(text);
    return true;
  } catch {
    return false;
  }
}

/** The authority as RFC 3986 reads it, which knows no backslash: what curl and others go by. */
function authorityOf(url: string): string | undefined {
  return /^https?:\/\/([^/?#\\]*)[/\\]/.exec(url)?.[1];
}

test('no request leaves the origin of the base URL', () => {
  let resolved = 0;
  fc.assert(
    fc.property(
      baseUrls,
      fc.oneof(
        texts,
        texts.map((text) => `/${text}`),
      ),
      ({ text }, target) => {
        const baseUrl = parseBaseUrl(text);
        const url = resolveTarget(baseUrl, target);
        if (url === undefined) return;
        resolved += 1;
        const { origin, host } = new URL(baseUrl);
        expect(new URL(url)).toMatchObject({ origin, username: '', password: '' });
        expect(authorityOf(url)).toBe(host);
        // The client sends what follows the origin.
        expect(url.startsWith(`${origin}/`)).toBe(true);
      },
    ),
    { seed: 23, numRuns: 5000 },
  );
  expect(resolved).toBeGreaterThan(2000);
});

describe('a target', () => {
  test.each([
    ['http://h:4010', '/pets?limit=1', 'http://h:4010/pets?limit=1'],
    ['http://h:4010/v1', '/pets', 'http://h:4010/v1/pets'],
    ['http://h:4010/v1', '/../v2/pets', 'http://h:4010/v2/pets'],
    ['http://h/api/v1', '/../v2/pets', 'http://h/api/v2/pets'],
    ['http://h/v1', '/../../../x', 'http://h/../../x'],
    ['http://[::1]:80/v1', '//evil.example', 'http://[::1]/v1//evil.example'],
    ['http://h', '/../v2/pets', undefined],
    ['http://h', '/../@evil.example/', undefined],
    ['http://h', '@evil.example/', undefined],
    ['http://h', ':80@evil.example/', undefined],
    ['http://h', '.evil.example/', undefined],
    ['http://h', '', undefined],
    ['none', '/pets', undefined],
  ])('of %s, %s', (baseUrl, target, url) => {
    expect(resolveTarget(baseUrl, target)).toBe(url);
  });
});

test.each(['http://user@h/v1', 'http://:pass@h/v1', 'http://user:pass@h', 'http://h\\@evil/?x'])(
  'the base URL %s is refused',
  (text) => {
    expect(() => parseBaseUrl(text)).toThrow(/^(?!.*(user|pass)[:@])/);
  },
);
