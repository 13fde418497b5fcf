import { expect, test } from 'vitest';
import { type FieldKind, parseField, printField } from './field.ts';
import { splitRefusal } from './form.ts';

const field = (kind: FieldKind) => ({ name: '/a', label: 'Age', kind });

test.for<[FieldKind, string, unknown]>([
  ['number', '12', 12],
  ['json', '{"a": [1]}', { a: [1] }],
  ['loose', 'not JSON', 'not JSON'],
  ['query', '?a=1&b=2&b=3', { a: '1', b: ['2', '3'] }],
  ['headers', 'A: b\n\nC:d\nC: e\nF', { A: 'b', C: ['d', 'e'], F: null }],
  ['time', '2026-06-02T09:30:05', '2026-06-02T09:30:05.000Z'],
  ['check', 'true', true],
])('a field of the kind %s reads %j', ([kind, text, value]) => {
  expect(parseField(field(kind), text)).toEqual(value);
});

test.for<[FieldKind, string, RegExp]>([
  ['number', '5o3', /^Enter a number\.$/],
  ['json', '{"a"', /^This is not JSON: /],
  ['headers', 'a b', /^Enter one header per line/],
  ['time', 'noon', /^Enter a date and a time/],
])('a field of the kind %s says what is wrong with %j', ([kind, text, message]) => {
  expect(() => parseField(field(kind), text)).toThrow(message);
});

test('a number field shows only numbers, with every digit', () => {
  expect([0.07, -3, true, '5', null].map((value) => printField(field('number'), value))).toEqual([
    '0.07',
    '-3',
    undefined,
    undefined,
    undefined,
  ]);
});

test('a refusal is split into its fields, with their labels', () => {
  const fields = [
    { name: '/name', label: 'Name' },
    { name: '/a~1b', label: 'Box' },
  ];
  const first = 'name is required (at /name)';
  const message = `The item breaks the contract: ${first}; size must be at least 1 (at /a~1b/size).`;
  const byField = { '/name': 'Name is required.', '/a~1b': 'size must be at least 1.' };
  expect(splitRefusal(message, fields)).toEqual({ byField, other: '' });
  const both = `${first}; age is required (at /age)`;
  expect(splitRefusal(both, fields)).toEqual({
    byField: { '/name': 'Name is required.' },
    other: both,
  });
  const plain = 'An item with the id 1 already exists.';
  expect(splitRefusal(plain, fields)).toEqual({ byField: {}, other: plain });
});
