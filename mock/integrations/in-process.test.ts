import { expect, test } from 'vitest';
import { targetOf } from './in-process.ts';

test.each([
  'http://127.0.0.1:4010/v1/pets/7',
  'http://[::1]:80/v1/pets?limit=3&status=a,b',
  'https://x.test/',
  'https://x.test',
  'https://x.test?limit=1',
  'http://x.test/a/../b',
  'http://x.test/a/%2e%2e/b?c=%2e',
  'http://x.test/a?b=1#c',
  'http://user:pass@x.test/a',
  'http://x.test/a?b="c"',
  'http://x.test/p\u00e9ts?n=\u00e9',
  'http://x.test/a\\b',
  'http://x.test/a\n/b',
  'HTTP://X.test//a//b',
])('%j has the same target as with `URL`', (url) => {
  const { pathname, search } = new URL(url);
  expect(targetOf(url)).toBe(pathname + search);
});
