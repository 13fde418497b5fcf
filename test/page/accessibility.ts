import axe from 'axe-core';
import type { Page } from 'playwright-core';

// What runs in the page is text: tests that use this are checked with the globals of Node.

/** What axe-core finds serious or critical in the current page: there should be none. */
export async function findBarriers(page: Page): Promise<readonly string[]> {
  await finishTransitions(page);
  await page.evaluate(axe.source);
  return await page.evaluate<readonly string[]>(`axe.run().then(({ violations }) =>
    violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, nodes }) =>
        nodes.map(({ html, failureSummary }) => id + ': ' + html + ' (' + failureSummary + ')')))`);
}

/** By how many pixels a page is wider than its window: should be 0. */
export async function measureOverflow(page: Page): Promise<number> {
  await finishTransitions(page);
  return await page.evaluate<number>(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  );
}

/** Waits for transitions, so that colours and sizes are final. An endless animation is not a transition. */
async function finishTransitions(page: Page): Promise<void> {
  await page.evaluate(`Promise.all(
    document.getAnimations()
      .filter(({ effect }) => Number.isFinite(effect?.getComputedTiming().endTime))
      .map(({ finished }) => finished.catch(() => undefined)),
  ).then(() => undefined)`);
}
