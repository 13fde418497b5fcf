import type { Page } from 'playwright-core';
import { fixtureFile } from '../../test/contract/sample.ts';
import { loadContract } from '../../contract/load.ts';
import { findBarriers, measureOverflow } from '../../test/page/accessibility.ts';
import { expect, test } from '../../test/page/test.ts';

/** Swagger UI is large, and so is what axe-core looks at. */
const patience = { timeout: 90_000 };

/** Opens the first operation, and sends its request. */
async function tryFirst(page: Page): Promise<string> {
  await page.locator('.opblock-summary-control').first().click();
  await page.getByRole('button', { name: 'Execute' }).click();
  const response = page.locator('.live-responses-table .response').first();
  return await response.innerText();
}

test(
  'requests go to this mock with a key of the chosen sandbox, and nowhere else',
  patience,
  async ({ mock, openPage }) => {
    const page = await openPage(mock, '#/start?sandbox=alice');
    const asked: string[] = [];
    page.on('request', (request) => void asked.push(request.url()));
    const isOfLibrary = (url: string): boolean => url.includes('/reference/');
    const link = page.getByRole('navigation').getByRole('link', { name: 'Reference' });
    await link.waitFor();
    expect(asked.filter(isOfLibrary)).toEqual([]);
    await link.click();
    const questions = page.getByRole('main').getByRole('link', { name: 'Questions' });
    expect(await questions.getAttribute('href')).toBe('#/sandboxes/questions?sandbox=alice');
    expect(await tryFirst(page)).toMatch(/^200[^]*"name": "Rex"/);
    const curl = page.locator('.curl');
    expect(await curl.innerText()).toContain(`'${mock.url}/pets?limit=20'`);
    expect(await curl.innerText()).toContain("'Authorization: Bearer free_alice'");

    const keys = page.getByRole('combobox', { name: 'Key' });
    await keys.selectOption('pro_alice');
    await page.getByRole('button', { name: 'Execute' }).click();
    await expect.poll(() => curl.innerText()).toContain('Bearer pro_alice');
    await keys.selectOption('No key');
    await page.getByRole('button', { name: 'Execute' }).click();
    await expect.poll(() => curl.innerText()).not.toContain('Authorization');
    const sent = await mock.control.call('readJournal', { sandbox: 'alice' });
    expect(sent.exchanges).toMatchObject([
      { operation: 'listPets', status: 200, plan: 'Free' },
      { operation: 'listPets', status: 200, plan: 'Pro' },
    ]);

    expect(asked.filter(isOfLibrary)).toHaveLength(1);
    const isForeign = (url: string): boolean =>
      !url.startsWith(mock.origin) && !url.startsWith('data:');
    expect(asked.filter(isForeign)).toEqual([]);
    expect(await findBarriers(page)).toEqual([]);
  },
);

test(
  'the library follows the system theme, is accessible in dark mode, and fits a narrow window',
  patience,
  async ({ mock, openPage }) => {
    const page = await openPage(mock, '#/reference', { viewport: { width: 390, height: 800 } });
    await tryFirst(page);
    const background = async (): Promise<string> =>
      await page
        .locator('.opblock')
        .first()
        .evaluate((one) => getComputedStyle(one).backgroundColor);
    const light = await background();
    await page.emulateMedia({ colorScheme: 'dark' });
    await expect.poll(background).not.toBe(light);
    await page.locator('.opblock-summary-control').nth(1).click();
    await page.getByLabel('Request body').waitFor();
    expect(await findBarriers(page)).toEqual([]);
    expect(await measureOverflow(page)).toBe(0);
  },
);

test(
  'keys are sent as the document says, and identity providers are not contacted',
  patience,
  async ({ startMock, openPage }) => {
    const file = fixtureFile('shapes/security-schemes.yaml');
    const contract = await loadContract({ file });
    const mock = await startMock({ contract });
    const page = await openPage(mock, '#/start');
    const asked: string[] = [];
    page.on('request', (request) => void asked.push(request.url()));
    await page.getByRole('navigation').getByRole('link', { name: 'Reference' }).click();
    for (const name of ['basic', 'query', 'openid', 'cookie']) {
      const block = page.locator('.opblock', { has: page.locator(`[data-path="/${name}"]`) });
      await block.locator('.opblock-summary-control').click();
      await block.getByRole('button', { name: 'Execute' }).click();
      await block.locator('.live-responses-table .response').first().waitFor();
    }
    const { exchanges } = await mock.control.call('readJournal', { sandbox: 'main' });
    expect(exchanges.map(({ target, credential }) => [target, credential])).toEqual([
      ['/basic', 'valid'],
      ['/query?key=[key]', 'valid'],
      ['/openid', 'valid'],
      ['/cookie', 'valid'],
    ]);
    expect(await page.evaluate(() => document.cookie)).toBe('');
    expect(asked.filter((url) => !url.startsWith(mock.origin) && !url.startsWith('data:'))).toEqual(
      [],
    );
  },
);
