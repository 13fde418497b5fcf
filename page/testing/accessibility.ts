import axe from 'axe-core';
import type { Page } from 'playwright-core';

/** What axe-core finds serious or critical in a page as it is shown now: none is wanted. */
export async function findBarriers(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source);
  return await page.evaluate(async () => {
    const { violations } = await window.axe.run();
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, nodes }) =>
        nodes.map((node) => `${id}: ${node.html} (${node.failureSummary})`),
      );
  });
}

/** By how many pixels a page is wider than its window: 0 is wanted. */
export async function measureOverflow(page: Page): Promise<number> {
  return await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
}

declare global {
  interface Window {
    readonly axe: typeof axe;
  }
}
