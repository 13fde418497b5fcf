import { findBarriers, measureOverflow } from '../testing/accessibility.ts';
import { expect, test } from '../testing/test.ts';

test('another sandbox is opened by name, with the keys that open it, and reset', async ({
  mock,
  openPage,
}) => {
  const page = await openPage(mock, '#/sandboxes');
  const name = page.getByLabel('Open another');
  await name.fill('no such name');
  await name.press('Enter');
  await page
    .getByText('A name has 1 to 64 letters, digits, dots, hyphens and underscores.')
    .waitFor();
  expect(await name.inputValue()).toBe('no such name');
  await name.fill('alice');
  await name.press('Enter');
  await page.getByRole('heading', { name: 'Sandbox alice' }).waitFor();
  const keys = page.getByRole('list', { name: 'Keys that open it' });
  await keys.getByText('free_alice').waitFor();

  await mock.send('POST', '/pets', { key: 'free_alice', json: { name: 'Own', categoryId: 1 } });
  const own = page.getByRole('cell', { name: 'Own', exact: true });
  await own.waitFor();
  const question = page.getByRole('group', { name: /start anew/ });
  // The focus is in the question once it is drawn.
  const focusIn = async (): Promise<void> =>
    await expect
      .poll(() => question.evaluate((group) => group.contains(document.activeElement)))
      .toBe(true);
  await page.getByRole('button', { name: 'Reset this sandbox' }).click();
  await focusIn();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Reset this sandbox' }).press('Enter');
  await focusIn();
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Enter');
  await own.waitFor({ state: 'detached' });
});

test('a snapshot is saved, loaded and dropped', async ({ mock, openPage }) => {
  const page = await openPage(mock, '#/sandboxes');
  const panel = page.getByRole('region', { name: 'Snapshots' });
  const name = panel.getByLabel('Name');
  await name.press('Enter');
  await panel.getByText('Give the snapshot a name.').waitFor();
  await name.fill('before / lunch');
  await name.press('Enter');
  await panel.getByRole('button', { name: 'Load before / lunch' }).waitFor();
  await page.getByRole('button', { name: 'Remove 1', exact: true }).click();
  const rex = page.getByRole('cell', { name: 'Rex', exact: true });
  await rex.waitFor({ state: 'detached' });
  await panel.getByRole('button', { name: 'Load before / lunch' }).click();
  await panel.getByRole('button', { name: 'Load', exact: true }).click();
  await rex.waitFor();
  await panel.getByRole('button', { name: 'Drop before / lunch' }).click();
  await panel.getByRole('button', { name: 'Drop', exact: true }).click();
  await panel.getByRole('listitem').waitFor({ state: 'detached' });
});

test('a choice is switched, also from elsewhere, and taken back', async ({ mock, openPage }) => {
  const page = await openPage(mock, '#/sandboxes');
  const question = page.getByRole('group', { name: /^May the status of a pet change/ });
  const never = question.getByRole('radio', { name: /^It stays as it was set/ });
  await expect.poll(() => never.isChecked()).toBe(true);
  await question.getByRole('radio', { name: /by means that this document/ }).check();
  const choice = async (): Promise<unknown> =>
    (await mock.control.call('readChoices', { sandbox: 'main' }))['status-transitions'];
  await expect.poll(choice).toBe('elsewhere');
  await page.getByText('status-transitions is elsewhere in main from now on.').waitFor();
  await page.getByText(/^\d+ questions, 1 changed$/).waitFor();
  await question.getByText('changed', { exact: true }).waitFor();
  const panel = page.getByRole('region', { name: 'Open questions' });
  await panel.getByLabel('Changed only').check();
  await panel.getByText(/^1 of \d+ questions, 1 changed$/).waitFor();
  await panel.getByLabel('Changed only').uncheck();
  await panel.getByRole('searchbox').fill('STATUS transitions');
  expect(await panel.getByRole('group').count()).toBe(1);
  await panel.getByRole('searchbox').fill('');
  await page.getByRole('button', { name: 'Reset choices' }).click();
  await expect.poll(() => never.isChecked()).toBe(true);
  const body = { 'status-transitions': 'elsewhere' };
  await mock.control.call('setChoices', { sandbox: 'main', body });
  await expect.poll(() => never.isChecked()).toBe(false);
});

test.for([
  [390, 'light'],
  [1440, 'dark'],
] as const)('has no barriers at %i in %s', async ([width, colorScheme], { mock, openPage }) => {
  const page = await openPage(mock, '#/sandboxes', {
    viewport: { width, height: 900 },
    colorScheme,
  });
  await page.getByRole('button', { name: 'Add an item' }).click();
  await page.getByRole('button', { name: 'Item 1', exact: true }).click();
  await page.getByText('Change Free').click();
  await page.getByText('More: connection').click();
  expect(await findBarriers(page)).toEqual([]);
  expect(await measureOverflow(page)).toBe(0);
});
