import { expect, test } from 'vitest';
import { loadContract } from '../index.ts';
import { petstore as contract } from '../../contract/testing/petstore.ts';

const root = new URL('../../', import.meta.url);

test.for(['openapi.yaml', 'fixtures/documents/books.yaml'])(
  'the requirements of %s keep their ids: a new one may come, none may go or change its meaning',
  async (file) => {
    const { requirements } = await loadContract({ file: new URL(file, root).pathname });
    const name = file.split('/').at(-1)?.replace('.yaml', '') ?? '';
    const lines = requirements.map(
      ({ id, level, pointer, sentence }) => `${id} | ${level} | ${pointer} | ${sentence}`,
    );
    await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(
      `../../fixtures/values/requirements-${name}.txt`,
    );
  },
);

test('every requirement has a sentence, a pointer and, for the Petstore, a section of the interface', async () => {
  const { requirements } = contract;
  expect(new Set(requirements.map(({ id }) => id)).size).toBe(requirements.length);
  for (const { sentence, pointer, section, id } of requirements) {
    expect(`${id} ${sentence}`).toMatch(/[.?]$/);
    expect(pointer).toMatch(/^#\//);
    expect(section).not.toBe('');
  }
});
