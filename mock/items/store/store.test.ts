import { describe, expect, test } from 'vitest';
import type { JsonValue } from '../../../contract/json/value.ts';
import type { ItemId } from './item.ts';
import { Inventory, type ItemOrder } from './store.ts';

const facts = undefined;

/** A page as text. */
const pageOf = (
  inventory: Inventory,
  wanted: readonly (JsonValue | undefined)[],
  limit: number,
  orderSeed?: number,
): string =>
  `[${inventory
    .select(wanted, 0, limit, orderSeed)
    .map(({ text }) => text)
    .join(',')}]`;

const inventoryOf = (
  ids: readonly ItemId[],
  order: ItemOrder = 'ascending',
  kind: (id: ItemId) => JsonValue = (id) => `${id}`,
): Inventory => {
  const inventory = new Inventory(true, order);
  for (const id of ids)
    inventory.put({ id, sortKey: id, indexedValues: [kind(id)], text: `"${id}"`, facts });
  return inventory;
};

describe('an inventory', () => {
  test('lists by id, whatever the order of storing, and beyond 2^53', () => {
    const inventory = inventoryOf([
      9007199254740993n,
      3,
      1,
      9007199254740992n,
      -9007199254740993n,
      2,
    ]);
    expect(pageOf(inventory, [], 9)).toBe(
      '["-9007199254740993","1","2","3","9007199254740992","9007199254740993"]',
    );
  });

  test('finds a bigint by its value', () => {
    const inventory = inventoryOf([9007199254740993n]);
    expect(inventory.get(BigInt('9007199254740993'))?.text).toBe('"9007199254740993"');
    expect(inventory.get(9007199254740992n)).toBeUndefined();
  });

  test('lists no more than the limit', () => {
    expect(pageOf(inventoryOf([1, 2, 3]), [], 2)).toBe('["1","2"]');
    expect(pageOf(inventoryOf([]), [], 2)).toBe('[]');
  });

  test('lists descending', () => {
    expect(pageOf(inventoryOf([1, 2, 3], 'descending'), [], 2)).toBe('["3","2"]');
  });

  test('draws a new order for each list if the order is random', () => {
    const drawn = inventoryOf([1, 2, 3, 4, 5], 'none');
    const [first, second] = [pageOf(drawn, [], 9, 1), pageOf(drawn, [], 9, 2)];
    expect([pageOf(drawn, [], 9, 1), first === second]).toEqual([first, false]);
    for (const text of [first, second])
      expect(JSON.parse(text)).toEqual(expect.arrayContaining(['1', '2', '3', '4', '5']));
    expect(JSON.parse(pageOf(drawn, ['4'], 9, 3))).toEqual(['4']);
  });

  test('skips the items before a page', () => {
    expect(
      inventoryOf([1, 2, 3, 4])
        .select([], 1, 2)
        .map(({ id }) => id),
    ).toEqual([2, 3]);
    expect(
      inventoryOf([1, 2, 3, 4], 'descending')
        .select([], 1, 2)
        .map(({ id }) => id),
    ).toEqual([3, 2]);
    expect(inventoryOf([1, 2, 3]).select([], 3, 2)).toEqual([]);
  });

  test('is copied entirely and independently', () => {
    const inventory = inventoryOf([1, 2, 3], 'ascending', (id) => (id === 2 ? 'even' : 'odd'));
    const copy = inventory.copy();
    copy.remove(1);
    inventory.put({ id: 4, sortKey: 4, indexedValues: ['even'], text: '"4"', facts });
    expect([pageOf(copy, ['odd'], 9), pageOf(copy, [], 9)]).toEqual(['["3"]', '["2","3"]']);
    expect([pageOf(inventory, ['even'], 9), inventory.has(1), copy.has(4)]).toEqual([
      '["2","4"]',
      true,
      false,
    ]);
  });

  test('filters by an indexed value, through removal and replacement', () => {
    const inventory = inventoryOf([1, 2, 3, 4], 'ascending', (id) =>
      Number(id) % 2 === 0 ? 'even' : 'odd',
    );
    expect(pageOf(inventory, ['even'], 9)).toBe('["2","4"]');
    inventory.remove(2);
    inventory.put({ id: 3, sortKey: 3, indexedValues: ['even'], text: '"3, now even"', facts });
    expect(pageOf(inventory, ['even'], 9)).toBe('["3, now even","4"]');
    expect(pageOf(inventory, ['odd'], 9)).toBe('["1"]');
    expect(inventory.size).toBe(3);
  });

  test('applies all filters together', () => {
    const inventory = new Inventory(true);
    for (const id of [1, 2, 3, 4, 5, 6])
      inventory.put({ id, sortKey: id, indexedValues: [id % 2, id % 3], text: `${id}`, facts });
    expect(pageOf(inventory, [0, 0], 9)).toBe('[6]');
    expect(pageOf(inventory, [undefined, 0], 9)).toBe('[3,6]');
    expect(pageOf(inventory, [1, undefined], 9)).toBe('[1,3,5]');
  });
});
