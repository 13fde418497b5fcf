import { describe, expect, test } from 'vitest';
import type { ItemId } from './item.ts';
import { Inventory, type ItemOrder } from './store.ts';

const facts = undefined;

/** A page as text. */
const pageOf = (inventory: Inventory, limit: number, orderSeed?: number): string =>
  `[${inventory
    .inOrder(orderSeed)
    .slice(0, limit)
    .map(({ text }) => text)
    .join(',')}]`;

const inventoryOf = (ids: readonly ItemId[], order: ItemOrder = 'ascending'): Inventory => {
  const inventory = new Inventory(true, order);
  for (const id of ids) inventory.put({ id, sortKey: id, text: `"${id}"`, facts });
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
    expect(pageOf(inventory, 9)).toBe(
      '["-9007199254740993","1","2","3","9007199254740992","9007199254740993"]',
    );
  });

  test('finds a bigint by its value', () => {
    const inventory = inventoryOf([9007199254740993n]);
    expect(inventory.get(BigInt('9007199254740993'))?.text).toBe('"9007199254740993"');
    expect(inventory.get(9007199254740992n)).toBeUndefined();
  });

  test('lists no more than the limit', () => {
    expect(pageOf(inventoryOf([1, 2, 3]), 2)).toBe('["1","2"]');
    expect(pageOf(inventoryOf([]), 2)).toBe('[]');
  });

  test('lists descending', () => {
    expect(pageOf(inventoryOf([1, 2, 3], 'descending'), 2)).toBe('["3","2"]');
  });

  test('draws a new order for each list if the order is random', () => {
    const drawn = inventoryOf([1, 2, 3, 4, 5], 'none');
    const [first, second] = [pageOf(drawn, 9, 1), pageOf(drawn, 9, 2)];
    expect([pageOf(drawn, 9, 1), first === second]).toEqual([first, false]);
    for (const text of [first, second])
      expect(JSON.parse(text)).toEqual(expect.arrayContaining(['1', '2', '3', '4', '5']));
  });

  test('skips the items before a page', () => {
    expect(
      inventoryOf([1, 2, 3, 4])
        .inOrder()
        .slice(1, 3)
        .map(({ id }) => id),
    ).toEqual([2, 3]);
    expect(
      inventoryOf([1, 2, 3, 4], 'descending')
        .inOrder()
        .slice(1, 3)
        .map(({ id }) => id),
    ).toEqual([3, 2]);
    expect(inventoryOf([1, 2, 3]).inOrder().slice(3, 5)).toEqual([]);
  });

  test('is copied entirely and independently', () => {
    const inventory = inventoryOf([1, 2, 3]);
    const copy = inventory.copy();
    copy.remove(1);
    inventory.put({ id: 4, sortKey: 4, text: '"4"', facts });
    expect(pageOf(copy, 9)).toBe('["2","3"]');
    expect([pageOf(inventory, 9), inventory.has(1), copy.has(4)]).toEqual([
      '["1","2","3","4"]',
      true,
      false,
    ]);
  });
});
