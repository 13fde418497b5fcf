import { expect, test } from 'vitest';
import { createRandom } from '../generate/random.ts';
import { createTags } from '../generate/tag.ts';
import { loadSample } from '../../test/contract/sample.ts';
import { absentId } from './requests.ts';

test.for([
  { type: 'string' },
  { type: 'string', minLength: 8 },
  { type: 'string', format: 'email' },
  { type: 'string', format: 'uuid' },
  { type: 'integer' },
])('several absent ids of a run are valid and differ: %j', async (schema) => {
  const parameters = [{ name: 'id', in: 'path', required: true, schema }];
  const get = { responses: { 200: { description: 'It.' } } };
  const { operations } = await loadSample({ paths: { '/things/{id}': { parameters, get } } });
  const [parameter] = operations[0]?.parameters ?? [];
  if (parameter === undefined) throw new Error('no parameter');
  for (let start = 0; start < 100; start += 1) {
    const run = { random: createRandom(1), tag: createTags(1, start * 100).tag };
    const ids: string[] = [];
    for (let nth = 0; nth < 5; nth += 1) ids.push(absentId(parameter, run, ids, nth % 2 === 0));
    expect(new Set(ids).size).toBe(5);
    const values = ids.map((id) => (schema.type === 'integer' ? BigInt(id) : id));
    expect(values.flatMap((id) => parameter.schema.validate(id))).toEqual([]);
  }
});
