import { expect, test } from 'vitest';
import { type FieldKind, parseField, printField } from './field.ts';

const field = (kind: FieldKind) => ({ name: '/a', label: 'Age', kind });

test.for<[FieldKind, string, unknown]>([
  ['number', '12', 12],
  ['json', '{"a": [1]}', { a: [1] }],
  ['time', '2026-06-02T09:30:05', '2026-06-02T09:30:05.000Z'],
  ['check', 'true', true],
])('a field of the kind %s reads %j', ([kind, text, value]) => {
  expect(parseField(field(kind), text)).toEqual(value);
});

test.for<[FieldKind, string, RegExp]>([
  ['number', '5o3', /^Enter a number\.$/],
  ['json', '{"a"', /^This is not JSON: /],
  ['time', 'noon', /^Enter a date and a time/],
])('a field of the kind %s says what is wrong with %j', ([kind, text, message]) => {
  expect(() => parseField(field(kind), text)).toThrow(message);
});

test('a number field shows numbers alone, in every digit', () => {
  expect([0.07, -3, true, '5', null].map((value) => printField(field('number'), value))).toEqual([
    '0.07',
    '-3',
    undefined,
    undefined,
    undefined,
  ]);
});
