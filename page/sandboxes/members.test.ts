import { expect, test } from 'vitest';
import { columnsOf, renderCell } from './members.ts';

function members(...names: readonly string[]) {
  return names.map((name) => ({
    name,
    required: false,
    readOnly: false,
    type: name.startsWith('list') ? 'array' : 'string',
  }));
}

test('columns begin with the identifier, and plain members come before others', () => {
  const all = members('a', 'list1', 'b', 'list2', 'c', 'd', 'e', 'id');
  expect(columnsOf({ id: 'id', members: all }, [])).toEqual(['id', 'a', 'b', 'c', 'd', 'e']);
  expect(columnsOf({ members: members('list1', 'a') }, [{ x: 1 }])).toEqual(['list1', 'a', 'x']);
  expect(columnsOf({ members: [] }, [{ x: 1 }, { y: 2 }])).toEqual(['x', 'y']);
});

test('cells are short', () => {
  expect(renderCell(undefined)).toBe('');
  expect(renderCell({ a: 1 })).toBe('{"a":1}');
  expect(renderCell('x'.repeat(200))).toHaveLength(81);
});
