import { expect, test } from 'vitest';
import { responseLength } from './connection.ts';

const head = 'HTTP/1.1 200 OK\r\nX: y\r\n';

test.each([
  ['no body', `${head}\r\n`, 25],
  ['half a head', head, undefined],
  ['a length, whatever its case', `${head}content-length: 2\r\n\r\n[]`, 46],
  ['a length whose body is still to come', `${head}Content-Length: 2\r\n\r\n`, 46],
  ['chunks', `${head}Transfer-Encoding: chunked\r\n\r\n2\r\n[]\r\n0\r\n\r\n`, 65],
  ['chunks without their end', `${head}Transfer-Encoding: chunked\r\n\r\n2\r\n[]\r\n`, undefined],
])('%s', (_, text, length) => {
  expect(responseLength(text)).toBe(length);
});
