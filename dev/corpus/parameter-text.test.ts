import { expect, test } from 'vitest';
import type { Parameter } from './document.ts';
import { pathText, queryParts } from './parameter-text.ts';

const parameter = (node: Parameter['node']): Parameter => ({
  place: { pointer: '#', node },
  name: 'p',
  in: 'query',
  required: true,
  node,
});

const object = { a: 1, b: ['x y', 2] };

test.each([
  [{}, 'x&y', 'p=x%26y'],
  [{}, [1, 2], 'p=1&p=2'],
  [{ explode: false }, [1, 2], 'p=1,2'],
  [{ style: 'pipeDelimited', explode: false }, [1, 2], 'p=1%7C2'],
  [{ style: 'spaceDelimited', explode: false }, [1, 2], 'p=1%202'],
  [{}, { a: 1, b: 2 }, 'a=1&b=2'],
  [{ explode: false }, { a: 1, b: 2 }, 'p=a,1,b,2'],
  [{ style: 'deepObject' }, object, 'p%5Ba%5D=1&p%5Bb%5D=x%20y&p%5Bb%5D=2'],
  [{ content: {} }, { a: 1 }, 'p=%7B%22a%22%3A1%7D'],
  [{}, [], ''],
])('a query parameter %o with %o', (node, value, text) => {
  expect(queryParts(parameter(node), value).join('&')).toBe(text);
});

test.each([
  [{}, 'a/b', 'a%2Fb'],
  [{}, [1, 2], '1,2'],
  [{}, { a: 1 }, 'a,1'],
  [{ explode: true }, { a: 1, b: 2 }, 'a=1,b=2'],
  [{ style: 'label' }, [1, 2], '.1,2'],
  [{ style: 'label', explode: true }, [1, 2], '.1.2'],
  [{ style: 'matrix' }, [1, 2], ';p=1,2'],
  [{ style: 'matrix', explode: true }, [1, 2], ';p=1;p=2'],
  [{ style: 'matrix', explode: true }, { a: 1 }, ';a=1'],
])('a path parameter %o with %o', (node, value, text) => {
  expect(pathText(parameter(node), value)).toBe(text);
});
