import { findBarriers, measureOverflow } from '../../test/page/accessibility.ts';
import { expect, test } from '../../test/page/test.ts';

test('another sandbox is opened by name, with the keys that open it, and reset', async ({
  mock,
  openPage,
}) => {
  const page = await openPage(mock, '#/sandboxes');
  const name = page.getByRole('textbox', { name: 'Open another' });
  await name.fill('no such name');
  await name.press('Enter');
  await page.getByText('Enter 1 to 64 letters, digits, dots, hyphens and underscores.').waitFor();
  expect(await name.inputValue()).toBe('no such name');
  await name.fill('alice');
  await name.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Sandbox alice' }).waitFor();
  await page.getByText('Keys', { exact: true }).click();
  await page.getByRole('button', { name: 'Copy the key free_alice' }).waitFor();

  await mock.send('POST', '/pets', { key: 'free_alice', json: { name: 'Own', categoryId: 1 } });
  const own = page.getByRole('cell', { name: 'Own', exact: true });
  await own.waitFor();
  page.once('dialog', (dialog) => dialog.dismiss());
  await page.getByRole('button', { name: 'Reset this sandbox' }).click();
  expect(await own.isVisible()).toBe(true);
  page.once('dialog', (dialog) => dialog.accept());
  await page.getByRole('button', { name: 'Reset this sandbox' }).press('Enter');
  await own.waitFor({ state: 'detached' });
});

test('a snapshot is saved, replaced, restored and deleted', async ({ mock, openPage }) => {
  const page = await openPage(mock, '#/sandboxes/snapshots');
  page.on('dialog', (dialog) => dialog.accept());
  const panel = page.getByRole('region', { name: 'Snapshots' });
  const name = panel.getByLabel('Name');
  await name.press('Enter');
  await panel.getByText('Name is required.').waitFor();
  await name.fill('before / lunch');
  await name.press('Enter');
  await panel.getByRole('button', { name: 'Restore before / lunch' }).waitFor();
  await expect.poll(() => name.inputValue()).toBe('');
  await name.fill('before / lunch');
  await name.press('Enter');
  await expect.poll(() => name.inputValue()).toBe('');
  await mock.control.call('removeItem', { sandbox: 'main', collection: '/pets', item: '1' });
  await panel.getByRole('button', { name: 'Restore before / lunch' }).click();
  await page.getByText('main is restored from before / lunch.').waitFor();
  expect((await mock.send('GET', '/pets/1')).status).toBe(200);
  await panel.getByRole('button', { name: 'Delete before / lunch' }).click();
  await panel.getByRole('listitem').waitFor({ state: 'detached' });
});

test('a choice is changed, also from elsewhere, and reset; its group is unfolded', async ({
  mock,
  openPage,
}) => {
  const page = await openPage(mock, '#/sandboxes/questions');
  const panel = page.getByRole('region', { name: 'Questions' });
  await panel.getByText('Schema PetStatus').click();
  const question = panel.getByRole('group', { name: /^Can the status of a pet change/ });
  const never = question.getByRole('radio', { name: /^It never changes/ });
  await expect.poll(() => never.isChecked()).toBe(true);
  await question.getByRole('radio', { name: /in a way that this document/ }).check();
  const choice = async (): Promise<unknown> =>
    (await mock.control.call('readChoices', { sandbox: 'main' }))['status-transitions'];
  await expect.poll(choice).toBe('elsewhere');
  await page.getByText('status-transitions is now elsewhere in main.').waitFor();
  await panel.getByText(/^\d+ questions, 1 changed$/).waitFor();
  await panel.getByText('changed', { exact: true }).waitFor();
  await page.reload();
  // The group of a question that is not the default is unfolded.
  await never.waitFor();
  await page.getByRole('button', { name: 'Reset choices' }).click();
  await expect.poll(() => never.isChecked()).toBe(true);
  const body = { 'status-transitions': 'elsewhere' };
  await mock.control.call('setChoices', { sandbox: 'main', body });
  await expect.poll(() => never.isChecked()).toBe(false);
});

test('questions are grouped by the operation, the schema or the part of the document that they are in', async ({
  mock,
  openPage,
}) => {
  const page = await openPage(mock, '#/sandboxes/questions');
  const panel = page.getByRole('region', { name: 'Questions' });
  const groupOf = (question: string): Promise<string> =>
    panel
      .locator('details', { has: page.getByText(question) })
      .getByRole('heading', { level: 3 })
      .innerText();
  await panel.getByRole('heading', { level: 3 }).first().waitFor();
  for (const summary of await panel.locator('summary').all()) await summary.click();
  expect(await groupOf('which operations serve categories')).toBe('Schema NewPet');
  expect(await groupOf('Must the category that')).toBe('Schema NewPet');
  expect(await groupOf('In which order are pets listed')).toBe('GET /pets');
  expect(await groupOf('What happens to an id')).toBe('Schema Pet');
});

test.for([
  [390, 'light'],
  [1024, 'light'],
  [1440, 'dark'],
] as const)(
  'every page is accessible at width %i in %s',
  async ([width, colorScheme], { mock, openPage }) => {
    const page = await openPage(mock, '#/sandboxes', {
      viewport: { width, height: 900 },
      colorScheme,
    });
    const steps: Readonly<Record<string, () => Promise<void>>> = {
      Items: async () => {
        await page.getByRole('button', { name: 'Add an item' }).click();
        await page.getByRole('button', { name: 'Item 1', exact: true }).click();
      },
      'Faults and stubs': async () => {
        await page.getByRole('button', { name: 'Add a fault' }).click();
        await page.getByRole('button', { name: 'Add a stub' }).click();
        for (const more of await page.getByText('More options', { exact: true }).all())
          await more.click();
        await page.getByRole('button', { name: 'Add the fault' }).click();
      },
      'Limits and clock': async () => await page.getByText('Change limits').first().click(),
      Snapshots: async () => await page.getByRole('button', { name: 'Save a snapshot' }).click(),
      Questions: async () => await page.getByText('Rate limit').click(),
    };
    for (const [name, step] of Object.entries(steps)) {
      await page.getByRole('link', { name, exact: true }).click();
      await page.getByRole('heading', { level: 2 }).first().waitFor();
      await step();
      expect(await findBarriers(page)).toEqual([]);
      expect(await measureOverflow(page)).toBe(0);
    }
  },
);

test('on a phone the tabs stay where they are, whichever is open', async ({ mock, openPage }) => {
  const viewport = { width: 390, height: 800 };
  const page = await openPage(mock, '#/sandboxes', { viewport });
  const tabs = page.getByRole('navigation', { name: 'Parts of the sandbox' }).getByRole('link');
  await tabs.first().waitFor();
  const places = async (): Promise<unknown> =>
    await tabs.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().toJSON()));
  const first = await places();
  for (const name of ['Faults and stubs', 'Limits and clock', 'Questions']) {
    await tabs.filter({ hasText: name }).click();
    await page.locator('.tabs [aria-current]', { hasText: name }).waitFor();
    expect(await places()).toEqual(first);
  }
});
