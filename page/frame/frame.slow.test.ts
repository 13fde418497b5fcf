import { findBarriers, measureOverflow } from '../../test/page/accessibility.ts';
import { clipboard } from '../../test/page/shell.ts';
import { expect, test } from '../../test/page/test.ts';

test('every section is reachable and accessible at any width', async ({ mock, openPage }) => {
  const page = await openPage(mock);
  const sections = page.getByRole('navigation', { name: 'Sections' });
  for (const section of ['Start', 'Requests', 'Sandboxes', 'Reference', 'Tests']) {
    await sections.getByRole('link', { name: section, exact: true }).click();
    await page
      .getByRole('heading', { level: 1, name: section === 'Sandboxes' ? 'Sandbox main' : section })
      .waitFor();
  }
  expect(await findBarriers(page)).toEqual([]);
  for (const width of [390, 1920]) {
    await page.setViewportSize({ width, height: 800 });
    expect(await measureOverflow(page)).toBe(0);
  }
});

test('on a phone the header is one row with a menu, and each section opens at its top', async ({
  mock,
  openPage,
}) => {
  const page = await openPage(mock, '#/sandboxes/questions', {
    viewport: { width: 390, height: 600 },
  });
  await page.getByText('Rate limit').scrollIntoViewIfNeeded();
  const bar = page.getByRole('banner');
  expect((await bar.boundingBox())?.height).toBeLessThan(60);
  const sections = page.getByRole('navigation', { name: 'Sections' });
  for (const name of ['Tests', 'Start']) {
    await bar.getByRole('button', { name: /^Menu/ }).click();
    await sections.getByRole('link', { name, exact: true }).press('Enter');
    await page.getByRole('heading', { level: 1, name }).waitFor();
    expect(await page.evaluate(() => document.querySelector('main')?.scrollTop)).toBe(0);
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('content');
    expect(await sections.isVisible()).toBe(false);
  }
  await bar.getByRole('button', { name: /^Menu/ }).press('Enter');
  expect(await findBarriers(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await expect.poll(() => sections.isVisible()).toBe(false);
});

test('only the header has a control for the sandbox', async ({ mock, openPage }) => {
  for (const fragment of ['start', 'requests', 'sandboxes', 'reference', 'tests']) {
    const page = await openPage(mock, `#/${fragment}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await page.getByRole('combobox', { name: /sandbox/i }).count()).toBe(1);
    expect(await page.getByRole('textbox', { name: /sandbox/i }).count()).toBe(0);
  }
});

test('the theme follows the system', async ({ mock, openPage }) => {
  const page = await openPage(mock);
  const background = async (): Promise<string> =>
    await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await background();
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect.poll(background).not.toBe(light);
});

test('the header shows changes in the chosen sandbox, with links to them', async ({
  mock,
  openPage,
}) => {
  const page = await openPage(mock);
  await page.getByRole('heading', { level: 1 }).waitFor();
  const badges = page.locator('.badges');
  expect(await badges.count()).toBe(0);
  const body = { now: '2030-12-05T00:00:00Z', frozen: true };
  await mock.control.call('setClock', { sandbox: 'main', body });
  await mock.control.call('addFault', { sandbox: 'main', body: { status: 503, count: 1 } });
  await badges.getByText('Clock frozen').waitFor();
  await badges.getByText('1 fault').waitFor();
  await mock.send('GET', '/pets');
  await badges.getByText('1 fault').waitFor({ state: 'detached' });
  await badges.getByText('Clock frozen').click();
  await page.getByRole('region', { name: 'Clock' }).getByText('2030-12-05 00:00:00 UTC').waitFor();
});

test('says that the mock was restarted', async ({ mock, openPage }) => {
  const page = await openPage(mock);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await mock.restart();
  await page.getByText('The mock was restarted').waitFor();
});

test('an error message disappears with its section', async ({ mock, openPage }) => {
  const page = await openPage(mock, '#/sandboxes/questions');
  await page.route('**/_mock/sandboxes/main/choices', async (route) =>
    route.request().method() === 'DELETE' ? await route.abort() : await route.continue(),
  );
  await page.getByRole('button', { name: 'Reset choices' }).click();
  const close = page.getByRole('button', { name: 'Close the message' });
  await close.waitFor();
  await page.getByRole('link', { name: 'Requests', exact: true }).first().click();
  await close.waitFor({ state: 'detached' });
});

test.for([390, 1024, 1440])(
  'a message covers nothing and moves nothing at width %i',
  async (width, { mock, openPage }) => {
    const page = await openPage(mock, '#/sandboxes/limits', {
      viewport: { width, height: 700 },
      ...clipboard,
    });
    const main = page.getByRole('main');
    const message = page.getByRole('contentinfo');
    await page.getByRole('region', { name: 'Clock' }).waitFor();
    const before = await main.boundingBox();
    await page.goto(`${mock.origin}/#/start`);
    await page.getByRole('button', { name: 'Copy the base URL' }).click();
    await message.getByText('Copied the base URL.').waitFor();
    const [bar, rest] = [await message.boundingBox(), await main.boundingBox()];
    expect(rest).toEqual(before);
    expect(bar?.y).toBe((rest?.y ?? 0) + (rest?.height ?? 0));
    expect((bar?.y ?? 0) + (bar?.height ?? 0)).toBe(700);
    expect(await findBarriers(page)).toEqual([]);
  },
);
