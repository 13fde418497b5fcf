import { listRequirements } from './requirements.ts';
import { expect, test } from 'vitest';
import { loadContract } from '../../contract/load.ts';
import { schemaDocument, times } from '../../test/contract/compose-document.ts';

/** The sentences that name values of a schema. */
async function listSentences(schema: object): Promise<readonly string[]> {
  const requirements = listRequirements(
    await loadContract({ text: JSON.stringify(schemaDocument(schema)) }),
  );
  const named = requirements.filter(({ id }) => id.endsWith('getHostile/response.200.body.values'));
  return named.map(({ sentence }) => sentence);
}

test('a sentence names the allowed values, up to a readable number', async () => {
  expect(await listSentences({ enum: ['a', 2, null] })).toEqual([
    'In a 200 from getHostile, the body is "a" or 2 or null.',
  ]);
  expect(await listSentences({ enum: ['a'], const: 'b' })).toEqual([
    'In a 200 from getHostile, the body is left out: no value is allowed.',
  ]);
  const [many = ''] = await listSentences({ enum: times(50_000, (at) => `value ${at}`) });
  expect(many).toMatch(/^In a 200 .* is "value 0" or "value 1" .* or another of 50000 values\.$/);
  expect(many.length).toBeLessThan(1_200);
  for (const schema of [
    { const: 'x'.repeat(500_000) },
    { enum: times(9, (at) => [at, 'x'.repeat(99_999)]) },
  ])
    expect((await listSentences(schema)).map(({ length }) => length < 2_100)).toEqual([true]);
});
