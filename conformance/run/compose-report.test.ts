import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { openService } from '../../cli/testing/target.ts';
import { loadContract } from '../../contract/index.ts';

const text = await readFile(new URL('../../openapi.yaml', import.meta.url), 'utf8');

test('a question of a kind that nobody knows is listed as not asked', async () => {
  const contract = await loadContract({
    text: text.replace('kind: unknown-properties', 'kind: colour'),
  });
  await using place = await openService(contract);
  const { verdicts } = await place.run({});
  expect(
    verdicts.find(({ requirement }) => requirement.id === '*/open.unknown-properties'),
  ).toMatchObject({
    kind: 'not-tested',
    reason: 'it is not asked: the suite does not know its kind',
  });
});
