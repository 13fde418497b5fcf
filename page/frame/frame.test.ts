import { findBarriers, measureOverflow } from '../testing/accessibility.ts';
import { expect, test } from '../testing/test.ts';

test('every section is reached, and has no barrier at any width', async ({ mock, openPage }) => {
  const page = await openPage(mock);
  const sections = page.getByRole('navigation', { name: 'Sections' });
  for (const section of ['Start', 'Requests', 'Sandboxes', 'Reference', 'Conformance']) {
    await sections.getByRole('link', { name: section, exact: true }).click();
    await page.getByRole('heading', { level: 1, name: section.replace(/es$/, '') }).waitFor();
  }
  expect(await findBarriers(page)).toEqual([]);
  for (const width of [390, 1920]) {
    await page.setViewportSize({ width, height: 800 });
    expect(await measureOverflow(page)).toBe(0);
  }
});

test('another section begins at its top, and has the focus', async ({ mock, openPage }) => {
  const page = await openPage(mock, '#/sandboxes', { viewport: { width: 390, height: 600 } });
  await page.getByRole('heading', { level: 2, name: 'Webhooks' }).scrollIntoViewIfNeeded();
  const sections = page.getByRole('navigation', { name: 'Sections' });
  for (const name of ['Conformance', 'Start']) {
    const link = sections.getByRole('link', { name, exact: true });
    expect(
      await link.evaluate((element) => element.getBoundingClientRect().right <= innerWidth),
    ).toBe(true);
    await link.click();
    await page.getByRole('heading', { level: 1, name }).waitFor();
    expect(await page.evaluate(() => scrollY)).toBe(0);
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('content');
  }
});

test('the theme changes with the first click', async ({ mock, openPage }) => {
  const page = await openPage(mock);
  const background = async (): Promise<string> =>
    await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await background();
  await page.getByRole('button', { name: 'Switch to the dark theme' }).click();
  expect(await background()).not.toBe(light);
  await page.getByRole('button', { name: 'Switch to the light theme' }).click();
  expect(await background()).toBe(light);
});

test('the head tells what is unusual in the chosen sandbox', async ({ mock, openPage }) => {
  const page = await openPage(mock);
  await page.getByRole('heading', { level: 1 }).waitFor();
  const badges = page.locator('.badges');
  expect(await badges.count()).toBe(0);
  const body = { now: '2030-12-05T00:00:00Z', frozen: true };
  await mock.control.call('setClock', { sandbox: 'main', body });
  await mock.control.call('addFault', { sandbox: 'main', body: { status: 503, count: 1 } });
  await badges.getByText('clock 2030-12-05').waitFor();
  await badges.getByText('1 fault').waitFor();
  await mock.send('GET', '/pets');
  await badges.getByText('1 fault').waitFor({ state: 'detached' });
  await badges.click();
  await page.getByRole('heading', { level: 1, name: 'Sandbox main' }).waitFor();
});

test('tells that the mock was started again', async ({ mock, openPage }) => {
  const page = await openPage(mock);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await mock.restart();
  await page.getByText('The mock was started again').waitFor();
});
