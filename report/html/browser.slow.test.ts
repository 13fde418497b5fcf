import { petstore as contract } from '../../test/contract/petstore.ts';
import { findBarriers, measureOverflow } from '../../test/page/accessibility.ts';
import { describe, expect, test, unfold } from '../../test/page/view/static-page.ts';
import { mutantOf, judgeParts } from '../../test/report/causes.ts';
import { sampleReport } from '../../test/report/sample-report.ts';
import { renderHtml } from './page.ts';

const hostile = renderHtml(sampleReport(contract), contract);

/** A server with several faults, each in another part of it. */
const faults = [
  'status-available-list',
  'auth-reads-open',
  'name-cut-255',
  'category-id-double-everywhere',
  'together-same-id',
  'refused-in-error',
  'created-status-202',
];
const { report } = await judgeParts(
  () => Object.assign({}, ...faults.map((id) => mutantOf(id).behaviour())),
  true,
);
const bad = renderHtml(report, contract, 'report.json');

describe('the page in a browser', { timeout: 120_000 }, () => {
  test.for([
    ['light', 1280],
    ['dark', 390],
  ] as const)('is accessible in %s, %d pixels wide', async ([colorScheme, width], { open }) => {
    const page = await open(bad, { colorScheme, viewport: { width, height: 900 } });
    expect(await findBarriers(page)).toEqual([]);
    await page.locator('button.failed').first().click();
    expect(await findBarriers(page)).toEqual([]);
  });

  test.for(['light', 'dark'] as const)(
    'is accessible with everything unfolded, in %s',
    async (colorScheme, { open }) => {
      const page = await open(bad, { colorScheme });
      await unfold(page);
      expect(await findBarriers(page)).toEqual([]);
    },
  );

  test.for([320, 390, 768, 1920])(
    'fits %d pixels, whatever a target sends',
    async (width, { open }) => {
      for (const html of [bad, hostile]) {
        const page = await open(html, { viewport: { width, height: 900 } });
        expect(await measureOverflow(page)).toBe(0);
        await unfold(page);
        expect(await measureOverflow(page)).toBe(0);
      }
    },
  );

  test('shows verdict, causes and matrix of a bad server on the first screen', async ({ open }) => {
    const page = await open(bad);
    const matrix = await page.locator('.matrix').boundingBox();
    expect((matrix?.y ?? 0) + (matrix?.height ?? 0)).toBeLessThan(900);
    expect(await page.locator('.failure').count()).toBeGreaterThan(3);
    expect(await page.evaluate<number>('document.documentElement.scrollHeight')).toBeLessThan(1000);
  });

  test('opens a cell by keyboard, over the full width, and moves nothing', async ({ open }) => {
    const page = await open(bad);
    const places = `JSON.stringify([...document.querySelectorAll('main .matrix button, h2')].map((each) => each.getBoundingClientRect()))`;
    const before = await page.evaluate<string>(places);
    const cell = page.locator('button.failed').first();
    await cell.focus();
    await page.keyboard.press('Enter');
    const detail = page.getByRole('dialog');
    expect(await detail.isVisible()).toBe(true);
    expect(await detail.getByRole('listitem').count()).toBeGreaterThan(1);
    expect((await detail.boundingBox())?.width).toBeGreaterThan(1150);
    expect(await page.evaluate<string>(places)).toBe(before);
    await page.keyboard.press('Tab');
    expect(await page.evaluate<string>('document.activeElement.textContent')).toBe('Close');
    await page.keyboard.press('Escape');
    expect(await detail.isVisible()).toBe(false);
    expect(await cell.evaluate('document.activeElement.className')).toBe('failed');
  });

  test('links from a cell to the failure, which opens', async ({ open }) => {
    const page = await open(bad);
    await page.locator('button.failed').first().click();
    const link = page.getByRole('dialog').getByRole('link').first();
    const target = (await link.getAttribute('href')) ?? '';
    await link.click();
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await page.locator(`[id="${target.slice(1)}"]`).waitFor();
  });

  test('shows marks without scrolling', async ({ open }) => {
    const page = await open(bad);
    await unfold(page);
    const hidden = `[...document.querySelectorAll('.code')].filter((code) => code.scrollHeight > code.clientHeight).length`;
    expect(await page.evaluate<number>(hidden)).toBe(0);
    const causes = await page.locator('.failure.failed').all();
    for (const cause of causes) expect(await cause.locator('mark').count()).toBeGreaterThan(0);
  });

  test('copies replays and bodies', async ({ open }) => {
    const page = await open(bad);
    await page.locator('.failure').first().locator('summary').first().click();
    // The clipboard is written after the click, not with it: the status says when.
    const copied = async (name: string): Promise<string> => {
      await page.getByRole('button', { name }).first().click();
      await page.getByRole('status').getByText(name.replace('Copy', 'Copied')).waitFor();
      return await page.evaluate<string>('navigator.clipboard.readText()');
    };
    expect(await copied('Copy the replay line')).toMatch(/--replay 'report\.json#[0-9a-f]{8}'$/);
    expect(await copied('Copy the request body')).toMatch(/^\{"name":"/);
    expect(await copied('Copy the curl line')).toMatch(/^curl -i /);
  });

  test('works without scripts, but for copying', async ({ open }) => {
    const page = await open(bad, { javaScriptEnabled: false });
    await page.locator('.failure').first().locator('summary').first().click();
    await page
      .getByRole('heading', { level: 4, name: /request \d+$/i })
      .first()
      .waitFor();
    expect(await page.locator('.copy').first().isVisible()).toBe(false);
    await page.locator('button.failed').first().click();
    await page.getByRole('dialog').waitFor();
  });

  test('is complete in print: everything is unfolded, and there are no buttons', async ({
    open,
  }) => {
    const page = await open(bad, { colorScheme: 'dark' });
    await page.emulateMedia({ media: 'print' });
    for (const text of ['SHA-256 of the document', '--replay'])
      expect(await page.getByText(text).first().isVisible()).toBe(true);
    expect(await page.locator('.effects li, .reason li').first().isVisible()).toBe(true);
    expect(await page.locator('.copy').first().isVisible()).toBe(false);
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe(
      'rgb(255, 255, 255)',
    );
  });
});
