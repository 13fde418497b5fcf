import { expect, test } from 'vitest';
import { resolvePointer } from './pointer.ts';

const document = { paths: { '/pets/{petId}': { get: { tags: ['a', 'b'] } } }, 'a~b': { '%': 1 } };

test.for([
  ['#', document],
  ['#/paths/~1pets~1{petId}/get/tags/1', 'b'],
  ['#/paths/~1pets~1%7BpetId%7D/get/tags/1', 'b'],
  ['#/a~0b', { '%': 1 }],
  ['#/paths/none/get', undefined],
  ['#/paths/constructor', undefined],
] as const)('%s is %j', ([pointer, value]) => {
  expect(resolvePointer(document, pointer)).toEqual(value);
});
