import { expect, test } from 'vitest';
import { listSettings } from './summary.ts';

test('settings are told in words: ids for things that have one, and nothing of what stands elsewhere', () => {
  const configuration = {
    seed: 1,
    plan: null,
    from: 1,
    baseUrl: 'http://x',
    nearMisses: ['cut'],
    scenarios: [
      { id: 'plain', openedAt: 1 },
      { id: 'large-ids', openedAt: 2 },
    ],
  };
  expect(listSettings(configuration)).toEqual([
    ['seed', '1'],
    ['nearMisses', '["cut"]'],
    ['scenarios', 'plain, large-ids'],
  ]);
});
