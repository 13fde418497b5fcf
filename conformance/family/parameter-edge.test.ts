import { listRequirements } from './requirements.ts';
import { expect, test } from 'vitest';
import { loadContract } from '../../contract/load.ts';

const schemas: readonly (readonly [
  version: '3.0.3' | '3.1.0',
  schema: Readonly<Record<string, unknown>>,
  ends: readonly string[],
])[] = [
  ['3.1.0', { type: 'integer', minimum: 1, maximum: 100 }, ['1', '100']],
  ['3.1.0', { type: 'integer', exclusiveMinimum: 0, exclusiveMaximum: 101 }, ['1', '100']],
  [
    '3.0.3',
    { type: 'integer', minimum: 0, exclusiveMinimum: true, maximum: 101, exclusiveMaximum: true },
    ['1', '100'],
  ],
  ['3.1.0', { type: 'integer', minimum: -7, maximum: 100, multipleOf: 10 }, ['0', '100']],
  [
    '3.1.0',
    { type: 'integer', exclusiveMinimum: -30, maximum: -5, multipleOf: 10 },
    ['-20', '-10'],
  ],
  ['3.1.0', { type: 'number', exclusiveMinimum: 0, maximum: 1 }, ['1']],
  ['3.1.0', { type: 'integer', minimum: 5, maximum: 4 }, []],
];

test.for(['limit', 'score'])('the ends of the range of %s are accepted values', async (name) => {
  for (const [version, schema, ends] of schemas) {
    const text = JSON.stringify({
      openapi: version,
      info: { title: 'Scores', version: '1' },
      paths: {
        '/scores': {
          get: {
            operationId: 'list',
            parameters: [{ name, in: 'query', schema }],
            responses: { 200: { description: 'All of them.' } },
          },
        },
      },
    });
    const requirements = listRequirements(await loadContract({ text, name: 'scores.json' }));
    const taken = requirements.flatMap(({ id, sentence }) =>
      /parameter\.\w+\.(?:minimum|maximum)$/.test(id) ? [/=(.*)\.$/.exec(sentence)?.[1]] : [],
    );
    expect(taken).toEqual(ends);
  }
});
