import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadContract } from '../load.ts';

const files = {
  'openapi.yaml': `openapi: 3.1.0
info: { $ref: info.yaml }
tags: { $ref: tags.yaml }
paths:
  /a: { get: { $ref: operation.yaml }, put: { $ref: operation.yaml, operationId: other } }`,
  'info.yaml': 'title: T\nversion: "1"\ndescription: { $ref: text.md }',
  'text.md': '# Title: *no* YAML\n\n`a`: {',
  'tags.yaml': '- name: one',
  'operation.yaml': `operationId: only
parameters: { $ref: parameters.yaml }
responses: { 200: { description: ok, content: { application/json: { $ref: content.yaml } } } }`,
  'parameters.yaml': '- { name: limit, in: query, schema: { type: int } }',
  'content.yaml': 'schema: { type: integer }',
};

test('references in places where OpenAPI allows none are followed', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'inline-'));
  try {
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
    const { operations, diagnostics } = await loadContract({ file: join(folder, 'openapi.yaml') });
    expect(
      operations.map(({ id, parameters, responses }) => [
        id,
        parameters.map(({ name }) => name),
        responses.map(({ content }) => content[0]?.schema?.shape().types),
      ]),
    ).toEqual([
      ['only', ['limit'], [['integer']]],
      ['other', ['limit'], [['integer']]],
    ]);
    expect(diagnostics.map(({ level, file, line }) => `${level} ${file}:${line}`)).toEqual([
      'hint openapi.yaml:2',
      'hint info.yaml:3',
      'hint openapi.yaml:3',
      'hint openapi.yaml:5',
      'hint operation.yaml:2',
      'warning parameters.yaml:1',
      'hint operation.yaml:3',
      'hint openapi.yaml:5',
    ]);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test.each([
  ['backslashes', String.raw`parts\pets.yaml#/~1pets`],
  ['slashes that are not escaped', './parts/pets.yaml#/pets'],
  ['a slash too many', 'parts/pets.yaml#//pets'],
])('a reference with %s resolves as intended', async (_what, reference) => {
  const folder = await mkdtemp(join(tmpdir(), 'meant-'));
  try {
    await mkdir(join(folder, 'parts'));
    const root = {
      openapi: '3.0.3',
      info: { title: 'T', version: '1' },
      paths: { '/pets': { $ref: reference } },
    };
    await writeFile(join(folder, 'openapi.json'), JSON.stringify(root));
    const part = '/pets: { get: { operationId: only, responses: { 200: { description: ok } } } }';
    await writeFile(join(folder, 'parts', 'pets.yaml'), part);
    const { operations, diagnostics } = await loadContract({ file: join(folder, 'openapi.json') });
    expect(diagnostics).toEqual([]);
    expect(operations.map(({ id }) => id)).toEqual(['only']);
  } finally {
    await rm(folder, { recursive: true });
  }
});
