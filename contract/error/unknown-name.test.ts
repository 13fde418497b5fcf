import { array, assert, constantFrom, property, string } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { explainUnknown, nearestName, unknownName } from './unknown-name.ts';

describe('the name that was meant', () => {
  const known = ['limit', 'offset', 'status', 'categoryId', 'sort', 'q'];

  test.each([
    ['limt', 'limit'],
    ['lmiit', 'limit'],
    ['limits', 'limit'],
    ['LIMIT', 'limit'],
    ['category_id', 'categoryId'],
    ['catgoryid', 'categoryId'],
    ['offfset', 'offset'],
    ['stauts', 'status'],
    ['srot', 'sort'],
  ])('%s suggests %s', (name, meant) => {
    expect(nearestName(name, known)).toBe(meant);
  });

  test.each(['page', 'x', 'qq', 'lim', 'lemon', 'color', '', '---', 'limit', 'sorting'])(
    '%s matches none of them',
    (name) => {
      expect(nearestName(name, known)).toBeUndefined();
    },
  );

  test('the nearest name wins over the first', () => {
    expect(nearestName('petsId', ['petId2', 'petId'])).toBe('petId');
  });

  test('only names that share most of their characters are suggested', () => {
    const word = string({ unit: constantFrom('a', 'b', 'c', 'd', 'e', 'f'), maxLength: 12 });
    assert(
      property(word, array(word, { maxLength: 6 }), (name, words) => {
        const meant = nearestName(name, words);
        if (meant === undefined) return;
        expect(words).toContain(meant);
        const shared = [...new Set(name)].filter((one) => meant.includes(one));
        expect(shared.length).toBeGreaterThan(0);
        expect(Math.abs(meant.length - name.length)).toBeLessThanOrEqual(
          Math.min(meant.length, name.length) / 3,
        );
      }),
    );
  });

  test('a text of any length is compared in bounded time', () => {
    expect(nearestName('limit'.repeat(100_000), known)).toBeUndefined();
  });
});

test('an error suggests a name, then lists all', () => {
  expect(explainUnknown('plan', 'Gold', ['Free', 'Pro'])).toBe(
    'There is no plan "Gold"; there are Free, Pro.',
  );
  expect(explainUnknown('plan', 'fre', ['Free', 'Pro'])).toBe(
    'There is no plan "fre"; did you mean Free? There are Free, Pro.',
  );
  expect(explainUnknown('plan', 'Gold', ['Free'])).toBe('There is no plan "Gold"; there is Free.');
  expect(explainUnknown('plan', 'Gold', [])).toBe('There is no plan "Gold".');
  expect(unknownName('limit', 'plan', 'fre', ['Free']).code).toBe('limit');
});
