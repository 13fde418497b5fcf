import { expect, test } from 'vitest';
import { loadContract } from '../../../contract/load.ts';
import { documentOf } from '../../../test/contract/compose-document.ts';
import { compileSampleHeaders } from './sample-headers.ts';
import { maxSampleHeader, maxSampleHeaders } from '../../../contract/limits/index.ts';

async function listValues(headers: object): Promise<readonly string[]> {
  const responses = { 200: { description: 'Fine.', headers } };
  const document = documentOf({ '/headers': { get: { responses } } });
  const { operations } = await loadContract({ text: JSON.stringify(document) });
  const described = operations.flatMap((one) => one.responses.flatMap((each) => each.headers));
  const moment = { now: 1e12, target: '/', sandbox: 'main', index: 0 };
  return compileSampleHeaders(described).map((header) => header.render(moment, ''));
}

async function listLengths(lengths: readonly number[]): Promise<readonly number[]> {
  const headers = lengths.map((minLength, at) => [
    `X-${at}`,
    { schema: { type: 'string', minLength } },
  ]);
  return (await listValues(Object.fromEntries(headers))).map(({ length }) => length);
}

test('a list shows the example of its items', async () => {
  const items = { type: 'string', example: 'pets' };
  expect(await listValues({ 'X-Tags': { schema: { type: 'array', items } } })).toEqual(['pets']);
});

test('a header is sent up to maxSampleHeader, and omitted if its values are longer', async () => {
  const most = maxSampleHeader;
  expect(await listLengths([most, most + 1, 2 ** 31, Number.MAX_SAFE_INTEGER])).toEqual([most]);
});

test('headers are sent up to maxSampleHeaders', async () => {
  const most = maxSampleHeaders;
  const lengths = Array.from({ length: 5000 }, () => 90);
  const sent = await listLengths(lengths);
  expect(sent.length).toBeGreaterThan(most / 101);
  expect(sent.length).toBeLessThanOrEqual(most / 97);
  expect(await listLengths(lengths.slice(0, 80))).toHaveLength(80);
});
