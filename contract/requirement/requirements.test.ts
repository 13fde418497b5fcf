import { expect, test } from 'vitest';
import { loadContract } from '../index.ts';

const root = new URL('../../', import.meta.url);

test.for(['openapi.yaml', 'fixtures/documents/books.yaml'])(
  'the obligations of %s keep their ids: a new one may come, none may go or change its meaning',
  async (file) => {
    const { obligations } = await loadContract({ file: new URL(file, root).pathname });
    const name = file.split('/').at(-1)?.replace('.yaml', '') ?? '';
    const lines = obligations.map(
      ({ id, level, pointer, sentence }) => `${id} | ${level} | ${pointer} | ${sentence}`,
    );
    await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(
      `../fixtures/values/obligations-${name}.txt`,
    );
  },
);

test('every obligation has a sentence, a pointer and, for the Petstore, a section of the interface', async () => {
  const { obligations } = await loadContract({ file: new URL('openapi.yaml', root).pathname });
  expect(new Set(obligations.map(({ id }) => id)).size).toBe(obligations.length);
  for (const { sentence, pointer, section, id } of obligations) {
    expect(`${id} ${sentence}`).toMatch(/[.?]$/);
    expect(pointer).toMatch(/^#\//);
    expect(section).not.toBe('');
  }
});
