import { expect, test } from 'vitest';
import { composeDraft, openDraft, parseItem } from './draft.ts';
import { keepNumber } from './exact-json.ts';
import type { Item, Member } from './members.ts';

function member(name: string, type?: string, values?: unknown[]): Member {
  const base = { name, required: false, readOnly: false };
  return {
    ...base,
    ...(type !== undefined && { type }),
    ...(values !== undefined && { enum: values }),
  };
}

const members: readonly Member[] = [
  member('id', 'integer'),
  member('name', 'string'),
  member('status', 'string', ['available', 'sold']),
  member('isTame', 'boolean'),
  member('tags', 'array'),
];

function compose(item: Item, texts: Readonly<Record<string, string>> = {}, rest?: string): unknown {
  const draft = openDraft(item, members);
  return composeDraft({ ...draft, texts: { ...draft.texts, ...texts }, rest: rest ?? draft.rest });
}

test.for<[Item]>([
  [{ id: 7, name: 'Rex', status: 'sold', isTame: false, tags: ['a'] }],
  [{ name: '' }],
  [{ name: 'two\nlines', extra: null }],
  [{ id: 'a', name: 5, status: 'lost', isTame: null }],
  [{}],
])('%j that is not touched stays as it is', ([item]) => {
  expect(compose(item)).toEqual({ item });
});

test('an integer beyond what a number holds stays exact', () => {
  const item: Item = JSON.parse('{"id": 9007199254740993}', keepNumber);
  expect(JSON.stringify(compose(item))).toBe('{"item":{"id":9007199254740993}}');
  expect(JSON.stringify(compose({}, { id: '9007199254740993' }))).toBe(
    '{"item":{"id":9007199254740993}}',
  );
});

test('an empty field is left out, and what is no number is left for the mock to judge', () => {
  expect(compose({ id: 1, name: 'Rex' }, { name: '' })).toEqual({ item: { id: 1 } });
  expect(compose({}, { id: '1,5', isTame: 'true', status: '"sold"' })).toEqual({
    item: { id: '1,5', isTame: true, status: 'sold' },
  });
});

test('other members are JSON, and say what is wrong with it', () => {
  expect(compose({ id: 1 }, {}, '{"tags": []}')).toEqual({ item: { id: 1, tags: [] } });
  expect(compose({ id: 1 }, {}, '[]')).toEqual({
    message: 'The other members: This is no JSON object.',
  });
  expect(parseItem('{')).toEqual({ message: expect.stringMatching(/^This is no JSON: /) });
});
