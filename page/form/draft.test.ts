import { expect, test } from 'vitest';
import type { Collection, StubRule } from '../../mock/control/client.ts';
import { fieldsOf } from '../sandboxes/members.ts';
import { stubKind } from '../sandboxes/stub.ts';
import { composeDraft, listFacts, openDraft, parseObject, resolve } from './draft.ts';
import { keepNumber } from './exact-json.ts';
import type { Field, Texts } from './field.ts';

type Member = Collection['members'][number];

const member = (name: string, type: string, values?: Member['enum']): Member => ({
  name,
  type,
  required: false,
  readOnly: false,
  ...(values !== undefined && { enum: values }),
});

const itemFields = fieldsOf(
  {
    path: '/pets',
    count: 0,
    sample: {},
    members: [
      member('id', 'integer'),
      member('name', 'string'),
      member('status', 'string', ['available', 'sold']),
      member('isTame', 'boolean'),
      member('a/b', 'string'),
      member('tags', 'array'),
    ],
  },
  false,
);

function compose(
  fields: readonly Field[],
  value: object,
  texts: Texts = {},
  rest?: string,
): unknown {
  const typed = rest === undefined ? texts : { ...texts, rest };
  return composeDraft({ ...openDraft(value, fields), ...typed }, fields);
}

test.for<[object]>([
  [{ id: 7, name: 'Rex', status: 'sold', isTame: false, tags: ['a'] }],
  [{ name: '' }],
  [{ name: ' ', 'a/b': 'c' }],
  [{ name: 'two\nlines', extra: null }],
  [{ id: 'a', name: 5, status: 'lost', isTame: null }],
  [JSON.parse('{"__proto__": {"id": 1}, "constructor": 1}')],
  [{}],
])('an unedited item stays unchanged: %j', ([item]) => {
  expect(compose(itemFields, item)).toEqual({ body: item });
});

test.for<[StubRule]>([
  [{ name: 'a', request: { operation: 'getPet', path: '/pets/7' }, response: { body: null } }],
  [{ request: { query: { a: '1', b: ['2', '3'], c: { present: true } } } }],
  [{ request: { query: { a: '1', b: ['2', '3'] }, headers: { 'X-A': 'b' } }, times: 2 }],
  [{ response: { headers: { A: 'b', C: null, D: ['1', '2'] }, base64: 'AA==', delay: 5 } }],
  [{ request: { body: { members: { '/name': 'Tom' } } }, responses: [{ status: 500 }, {}] }],
  [{ scenario: { name: 'cart', from: 'start' }, response: { text: 'a\nb', status: 201 } }],
])('an unedited stub stays unchanged: %j', ([rule]) => {
  const fields = stubKind.fields({ operations: [operation('getPet')] });
  expect(compose(fields, rule)).toEqual({ body: rule });
});

const operation = (id: string) => ({
  id,
  method: 'GET',
  path: '/a',
  summary: '',
  pointer: '',
  deprecated: false,
  credentials: [],
});

test('an integer beyond double precision stays exact', () => {
  const item: object = JSON.parse('{"id": 9007199254740993}', keepNumber);
  const text = '{"body":{"id":9007199254740993}}';
  expect(JSON.stringify(compose(itemFields, item))).toBe(text);
  expect(JSON.stringify(compose(itemFields, {}, { '/id': '9007199254740993' }))).toBe(text);
});

test('an empty field leaves its member out', () => {
  expect(compose(itemFields, { id: 1, name: 'Rex' }, { '/name': '' })).toEqual({ body: { id: 1 } });
  expect(
    compose(itemFields, {}, { '/id': '1.5', '/isTame': 'true', '/status': '"sold"', '/a~1b': 'c' }),
  ).toEqual({ body: { id: 1.5, isTame: true, status: 'sold', 'a/b': 'c' } });
});

test('other members are JSON, with their syntax errors', () => {
  expect(compose(itemFields, { id: 1 }, {}, '{"tags": []}')).toEqual({ body: { id: 1, tags: [] } });
  expect(compose(itemFields, { id: 1 }, {}, '[]')).toEqual({
    errors: { rest: 'This is not a JSON object.' },
  });
  expect(parseObject('{')).toEqual({ message: expect.stringMatching(/^This is not JSON: /) });
});

test('a hidden field is omitted, and each invalid field is named', () => {
  const fields: readonly Field[] = [
    { name: '/kind', label: 'Kind' },
    { name: '/inner/size', label: 'Size', kind: 'number' },
    { name: '/key', label: 'Key', isRequired: true, isShown: ({ '/kind': kind }) => kind === 'a' },
  ];
  expect(compose(fields, {}, { '/kind': 'b', '/inner/size': '3' })).toEqual({
    body: { kind: 'b', inner: { size: 3 } },
  });
  expect(compose(fields, {}, { '/kind': 'a', '/inner/size': 'big' })).toEqual({
    errors: { '/inner/size': 'Enter a number.', '/key': 'Key is required.' },
  });
});

const document = { paths: { '/pets/{petId}': { get: { tags: ['a', 'b'] } } }, 'a~b': { '%': 1 } };

test.for([
  ['#', document],
  ['#/paths/~1pets~1{petId}/get/tags/1', 'b'],
  ['#/paths/~1pets~1%7BpetId%7D/get/tags/1', 'b'],
  ['#/a~0b', { '%': 1 }],
  ['#/paths/none/get', undefined],
  ['#/paths/constructor', undefined],
] as const)('%s is %j', ([pointer, value]) => {
  expect(resolve(document, pointer)).toEqual(value);
});

test('a stub is listed with the labels of its form, including members without a field', () => {
  const stub: StubRule = {
    request: { query: { a: '1' }, body: { contains: { name: 'Tom' } } },
    response: { status: 404, base64: 'AA==' },
  };
  expect(listFacts(stub, stubKind.fields({ operations: [] }))).toEqual([
    ['Operation', 'Every operation'],
    ['Query', 'a=1'],
    ['Status', '404'],
    ['Request body contains, as JSON', '{\n  "name": "Tom"\n}'],
    ['Other members', '{\n  "response": {\n    "base64": "AA=="\n  }\n}'],
  ]);
});
