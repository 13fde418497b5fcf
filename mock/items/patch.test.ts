import { expect, test } from 'vitest';
import { mergePatch } from './patch.ts';
import { isJsonObject, parseJson } from '../../contract/json/value.ts';

test.each([
  [{ a: 1 }, { a: 2 }, { a: 2 }],
  [{ a: 1 }, { b: 2 }, { a: 1, b: 2 }],
  [{ a: 1, b: 2 }, { a: null }, { b: 2 }],
  [{ a: [1, 2] }, { a: [3] }, { a: [3] }],
  [{ a: { b: 1, c: 2 } }, { a: { b: null, d: 3 } }, { a: { c: 2, d: 3 } }],
  [{ a: 1 }, { a: { b: null, c: 1 } }, { a: { c: 1 } }],
  [{ a: { b: 1 } }, { a: 1 }, { a: 1 }],
])('%j patched by %j is %j (RFC 7396 section 2)', (target, patch, expected) => {
  expect(mergePatch(target, patch)).toEqual(expected);
});

test('__proto__ is an ordinary member', () => {
  const patch = parseJson('{"__proto__":{"a":1}}');
  expect(Object.keys(mergePatch({}, isJsonObject(patch) ? patch : {}))).toEqual(['__proto__']);
});
