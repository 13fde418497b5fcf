import { expect, test } from 'vitest';
import { type FieldKind, checkField, parseField, printField } from './field.ts';
import { readFieldErrors } from './form.ts';

const field = (kind: FieldKind) => ({ name: '/a', label: 'Age', kind });

test.for<[FieldKind, string, unknown]>([
  ['whole', '12', 12],
  ['percent', '12.5', 0.125],
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
  ['whole', '5o3', /^Enter a whole number of at least 0\.$/],
  ['whole', '1.5', /^Enter a whole number/],
  ['number', 'x', /^Enter a number/],
  ['number', '-1.5', /^Enter a number of at least 0\.$/],
  ['json', '{"a"', /^This is not JSON: /],
  ['headers', 'a b', /^Enter one header per line/],
  ['time', 'noon', /^Enter a date and a time/],
])('a field of the kind %s says what is wrong with %j', ([kind, text, message]) => {
  expect(checkField(field(kind), text)).toMatch(message);
});

test('a number in a percent field is shown as it was typed', () => {
  expect(printField(field('percent'), 0.07)).toBe('7');
});

test('a refusal is split by the members that it names', () => {
  const message =
    'The item breaks the contract: name is required (at /name); size must be at least 1 (at /a~1b/size).';
  expect([...readFieldErrors(message)]).toEqual([
    ['/name', 'name is required'],
    ['/a~1b', 'size must be at least 1'],
  ]);
  expect(readFieldErrors('There is an item with the id 1 already.').size).toBe(0);
});
