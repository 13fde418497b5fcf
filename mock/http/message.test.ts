import { expect, test } from 'vitest';
import { createMock } from '../mock.ts';
import { petstore } from '../../test/contract/petstore.ts';
import { measureHeaders } from './message.ts';
import { maxJournals } from '../sandbox/journal.ts';

test.each([
  [{}, 0],
  [{ host: 'x', accept: undefined }, 11],
  [{ 'set-cookie': ['a'.repeat(100)] }, 110],
  [{ 'x-a': ['one', '', 'three'] }, 15],
])('characters of single and repeated headers are counted: %j', (headers, length) => {
  expect(measureHeaders(headers)).toBe(length);
});

test.each<readonly [string, (text: string) => string | readonly string[]]>([
  ['once', (text) => text],
  ['as a list, as set-cookie does', (text) => [text]],
])('long headers sent %s count in the journals', async (_, field) => {
  const mock = createMock(petstore);
  const control = await mock.control();
  const long = 'c'.repeat(mebibyte);
  for (let count = 0; count < 2 * journals; count += 1)
    mock.handle({
      method: 'GET',
      target: '/v1/pets',
      headers: { 'set-cookie': field(`${long}${count}`) },
      content: undefined,
    });
  expect(control.look('main').journal().length).toBeLessThan(journals);
});

const mebibyte = 2 ** 20;
const journals = maxJournals / mebibyte;
