import { loadContract } from '../../contract/index.ts';
import { measureOverflow } from '../testing/accessibility.ts';
import { expect, test } from '../testing/test.ts';

test('long words of a document do not make the page wider than the window', async ({
  startMock,
  openPage,
}) => {
  const word = 'x'.repeat(400);
  const document = {
    openapi: '3.1.0',
    info: { title: word, version: word, summary: word },
    paths: { '/a': { get: { operationId: word, summary: word, responses: {} } } },
  };
  const contract = await loadContract({ name: 'a.json', text: JSON.stringify(document) });
  const mock = await startMock({ contract });
  const page = await openPage(mock);
  await page.getByRole('heading', { level: 1 }).waitFor();
  expect(await measureOverflow(page)).toBe(0);
});
