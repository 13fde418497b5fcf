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
