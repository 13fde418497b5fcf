import { expect, test } from 'vitest';
import { loadContract } from '../contract/load.ts';
import { resolvePointer } from '../contract/json/pointer.ts';
import { compileRules } from './judge.ts';
import { petstore as contract } from '../test/contract/petstore.ts';

const root = new URL('../', import.meta.url);

test.for(['openapi.yaml', 'fixtures/documents/books.yaml'])(
  'the rules of %s keep their ids: rules may be added, but not removed or redefined',
  async (file) => {
    const rules = compileRules(await loadContract({ file: new URL(file, root).pathname }));
    const name = file.split('/').at(-1)?.replace('.yaml', '') ?? '';
    const lines = rules.map(
      ({ id, level, pointer, sentence }) => `${id} | ${level} | ${pointer} | ${sentence}`,
    );
    await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(
      `../fixtures/values/client-rules-${name}.txt`,
    );
  },
);

test('every rule has a unique id, a sentence, and a pointer and section of the interface', async () => {
  const rules = compileRules(contract);
  expect(new Set(rules.map(({ id }) => id)).size).toBe(rules.length);
  for (const { id, sentence, measure, pointer, section } of rules) {
    expect(id).toMatch(/^client\//);
    expect(`${id} ${sentence}`).toMatch(/\.$/);
    expect(`${id} ${measure}`).toMatch(/\.$/);
    expect(
      `${id} ${resolvePointer(contract.document, pointer) === undefined ? 'has no place' : ''}`,
    ).toBe(`${id} `);
    expect(section).not.toBe('');
  }
});

test('a document without limits, keys, integers or deprecations has no rules about them', async () => {
  const rules = compileRules(
    await loadContract({ file: new URL('fixtures/documents/odd/no-resource.yaml', root).pathname }),
  );
  expect(rules.map(({ id }) => id)).toEqual(['client/request.valid', 'client/request.repeated']);
});
