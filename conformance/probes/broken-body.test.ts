import { expect, test } from 'vitest';
import { loadContract } from '../../contract/load.ts';
import type { JsonValue } from '../../contract/json/value.ts';
import { inTurns, listInvalidBodies, maxBrokenBodies, refusalsOf } from './broken-body.ts';

const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];

async function load(schema: object) {
  const post = {
    operationId: 'add',
    requestBody: { required: true, content: { 'application/json': { schema } } },
    responses: { 201: { description: 'Added.' }, 400: { description: 'Refused.' } },
  };
  const document = {
    openapi: '3.1.0',
    info: { title: 'T', version: '1' },
    paths: { '/t': { post } },
  };
  const contract = await loadContract({ text: JSON.stringify(document) });
  const [operation] = contract.operations;
  if (operation === undefined) throw new Error('the document has an operation');
  return {
    refusals: refusalsOf(contract)(operation),
    list: (valid: JsonValue, wanted?: Parameters<typeof listInvalidBodies>[3]) =>
      listInvalidBodies(contract, operation, valid, wanted),
  };
}

const owner = {
  type: 'object',
  required: ['name'],
  properties: { name: { type: 'string', maxLength: 3 } },
};

const nested = {
  type: 'object',
  additionalProperties: false,
  required: ['owner'],
  properties: { owner, tags: { type: 'array', items: { type: 'string' }, uniqueItems: true } },
};

test('each requirement is broken, at any depth and in absent members', async () => {
  const { list } = await load(nested);
  const bodies = inTurns(list({ owner: { name: 'Ada' } })).filter(({ turn }) => turn === 0);
  expect(bodies.map(({ requirement, text }) => [requirement, text])).toEqual([
    ['add/request.body.required', undefined],
    ['add/request.body.type', '[{"owner":{"name":"Ada"}}]'],
    ['add/request.body.owner.required', '{}'],
    ['add/request.body.owner.type', '{"owner":12345}'],
    ['add/request.body.tags.type', '{"owner":{"name":"Ada"},"tags":12345}'],
    [
      'add/request.body.tags.unique-items',
      '{"owner":{"name":"Ada"},"tags":["jade 4856","jade 4856"]}',
    ],
    ['add/request.body.additional', '{"owner":{"name":"Ada"},"noSuchMember":true}'],
    ['add/request.body.owner.name.required', '{"owner":{}}'],
    ['add/request.body.owner.name.type', '{"owner":{"name":{"a":1}}}'],
    ['add/request.body.owner.name.max-length', '{"owner":{"name":"aaaa"}}'],
    ['add/request.body.tags[].type', '{"owner":{"name":"Ada"},"tags":[{"a":1}]}'],
  ]);
});

test('a body that breaks one requirement is the same if no others are wanted', async () => {
  const { list, refusals } = await load(nested);
  const valid = { owner: { name: 'Ada' } };
  const all = inTurns(list(valid));
  for (const refusal of refusals) {
    const own = list(valid, [refusal]).filter(({ requirement }) => requirement === refusal.id);
    expect(inTurns(own)).toEqual(all.filter(({ requirement }) => requirement === refusal.id));
  }
});

test('at most maxBrokenBodies are generated', async () => {
  const properties = Object.fromEntries(names.map((name) => [name, { type: 'string' }]));
  const { list } = await load({ type: 'object', required: names, properties });
  const sizeOf = (length: number) => {
    const bodies = list(Object.fromEntries(names.map((name) => [name, name.repeat(length)])));
    const missing = bodies.filter(({ way }) => way.endsWith(' is missing'));
    const characters = bodies.reduce((sum, { text }) => sum + (text?.length ?? 0), 0);
    return { missing: missing.length, characters };
  };
  expect(sizeOf(1).missing).toBe(1 + names.length);
  // Of eight texts each body that lacks one holds seven.
  const large = sizeOf(Math.floor(maxBrokenBodies / 16));
  expect(large.missing).toBe(2);
  expect(large.characters).toBeLessThanOrEqual(maxBrokenBodies);
});
