import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ContractError } from './diagnostic.ts';
import { renderDiagnostic } from './diagnostic.ts';
import type { Contract } from '../contract.ts';
import type { JsonObject } from '../json/value.ts';
import { loadContract, type LoadOptions } from '../load.ts';
import { sampleText } from '../../test/contract/sample.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'overlay-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});

const shelves: JsonObject = {
  paths: {
    '/shelves': {
      get: {
        operationId: 'listShelves',
        tags: ['a', 'b'],
        responses: { 200: { description: '' } },
      },
      parameters: [
        { name: 'one', in: 'query', schema: {} },
        { name: 'two', in: 'query', schema: {} },
      ],
    },
    '/books': { get: { deprecated: true, responses: { 200: { description: '' } } } },
  },
};

/** Loads the document with overlays of these texts: `0.yaml`, `1.yaml`. */
const load = async (
  texts: readonly string[],
  options: LoadOptions = {},
  document = shelves,
): Promise<Contract> => {
  const overlays = texts.map((_, index) => join(folder, `${index}.yaml`));
  await Promise.all(texts.map((text, index) => writeFile(overlays[index] ?? '', text)));
  return await loadContract(
    { text: sampleText(document), name: 'sample.json' },
    { overlays, ...options },
  );
};

const overlay = (...actions: readonly string[]): string =>
  ['overlay: 1.0.0', 'info: { title: T, version: 1.0.0 }', 'actions:', ...actions]
    .join('\n')
    .concat('\n');

const refusal = async (text: string, options?: LoadOptions): Promise<string> => {
  const error: unknown = await load([text], options).catch((cause: unknown) => cause);
  return error instanceof ContractError ? error.message : 'not refused';
};

describe('an overlay', () => {
  test('merges objects, appends to lists, and replaces other values', async () => {
    const { document } = await load([
      overlay(
        "  - target: $.paths['/shelves']",
        '    update: { x-resource: { idProperty: code }, get: { operationId: list, tags: [c] } }',
        "  - target: $.paths['/shelves'].parameters",
        '    update: { name: three, in: query, schema: {} }',
        '  - target: $.paths.*[?@.deprecated == true]',
        '    update: { summary: Old }',
      ),
    ]);
    expect(document).toMatchObject({
      paths: {
        '/shelves': {
          'x-resource': { idProperty: 'code' },
          get: { operationId: 'list', tags: ['a', 'b', 'c'] },
          parameters: [{ name: 'one' }, { name: 'two' }, { name: 'three' }],
        },
        '/books': { get: { summary: 'Old' } },
      },
    });
  });

  test('removes members and items, each once', async () => {
    const { document } = await load([
      overlay(
        '  - { target: "$.paths[\'/shelves\'].parameters[0, 0, -1]", remove: true }',
        '  - { target: "$.paths[\'/books\']", remove: true, update: { summary: Not read } }',
      ),
    ]);
    expect(document['paths']).toMatchObject({ '/shelves': { parameters: [] } });
    expect(Object.keys(Object(document['paths']))).toEqual(['/shelves']);
  });

  test('applies actions in sequence, and copies values for each target', async () => {
    const { document } = await load([
      overlay('  - { target: $.paths.*, update: { x-note: { list: [1] } } }'),
      overlay("  - { target: \"$.paths['/books']['x-note'].list\", update: 2 }"),
    ]);
    expect(document['paths']).toMatchObject({
      '/shelves': { 'x-note': { list: [1] } },
      '/books': { 'x-note': { list: [1, 2] } },
    });
  });

  test('is part of the digest', async () => {
    const change = overlay('  - { target: $.info, update: { title: Other } }');
    const digests = [await load([]), await load([change]), await load([`${change}#`])];
    expect(new Set(digests.map(({ digest }) => digest)).size).toBe(3);
    expect((await load([change], { strict: true })).title).toBe('Other');
  });

  test('may correct an invalid document', async () => {
    const broken = { ...shelves, info: { title: 'T' } };
    const change = overlay("  - { target: $.info, update: { version: '1' } }");
    expect((await load([], {}, broken)).diagnostics).not.toEqual([]);
    expect((await load([change], {}, broken)).diagnostics).toEqual([]);
    expect((await load([change], { strict: true }, broken)).version).toBe('1');
  });

  test('is the place of errors in what it added, also in a bundle', async () => {
    const change = overlay(
      "  - target: $.paths['/shelves'].get.responses",
      "    update: { '200': { content: { text/plain: { schema: { $ref: part.json } } } } }",
      "  - target: $.paths['/shelves'].get",
      '    update:',
      '      parameters:',
      '        - { name: three, in: nowhere, schema: {} }',
    );
    await writeFile(join(folder, 'part.json'), '{"type":"string"}');
    for (const options of [{ folder }, {}]) {
      const { diagnostics } = await load([change], options);
      expect(diagnostics.map(renderDiagnostic)).toContainEqual(
        expect.stringMatching(/^0\.yaml:9:\d+ warning #\/actions\/1\/update\/parameters\/0/),
      );
    }
  });
});

describe('an action that does nothing', () => {
  const found = async (text: string): Promise<readonly string[]> =>
    (await load([text])).diagnostics.map(renderDiagnostic);

  test('is reported with its place in the overlay', async () => {
    expect(await found(overlay('  - { target: $.paths.none, remove: true }'))).toEqual([
      '0.yaml:4:7 warning #/actions/0/target: selects nothing in the document. Correct the target, or remove the action. [unused-action]',
    ]);
    expect(await found(overlay('  - { target: $.info.title, update: { x: 1 } }'))).toEqual([
      '0.yaml:4:7 error #/actions/0/target: selects a value that such an update cannot be merged into. Select the object that holds the value, and update its member. [invalid-overlay]',
    ]);
    expect(await found(overlay('  - { target: $.info, update: Title }'))).toEqual([
      '0.yaml:4:7 error #/actions/0/target: selects a value that such an update cannot be merged into. Select the object that holds the value, and update its member. [invalid-overlay]',
    ]);
    expect(await found(overlay('  - { target: $, remove: true }'))).toEqual([
      '0.yaml:4:7 error #/actions/0/target: selects the whole document, which cannot be removed. Select the part to remove. [invalid-overlay]',
    ]);
  });

  test('is refused where the document is read strictly', async () => {
    expect(
      await refusal(overlay('  - { target: $.paths.none, remove: true }'), { strict: true }),
    ).toBe('0.yaml#/actions/0/target: line 4, column 7: selects nothing in the document');
  });
});

describe('a file that is not an overlay is rejected with the position', () => {
  test.each([
    [
      'overlay: 2.0.0\nactions: []',
      '0.yaml#/overlay: has to be a known version of OpenAPI Overlay',
    ],
    ['openapi: 3.1.0', '0.yaml#/overlay: is missing'],
    ['overlay: 1.0.0', '0.yaml#/actions: is missing'],
    [overlay('  - 1'), '0.yaml#/actions/0: line 4, column 5: has to be an object'],
    [overlay('  - { remove: true }'), '0.yaml#/actions/0/target: line 4, column 5: is missing'],
    [
      overlay('  - { target: $.a, updates: {} }'),
      '0.yaml#/actions/0: line 4, column 5: has to be an action with `update` or `remove: true`',
    ],
    [
      overlay('  - { target: $.a, remove: yes }'),
      '0.yaml#/actions/0/remove: line 4, column 20: has to be true or false',
    ],
    [
      overlay("  - { target: '$.a[', remove: true }"),
      '0.yaml#/actions/0/target: line 4, column 7: is not a JSONPath query (RFC 9535): ',
    ],
    ['overlay: [', '0.yaml: line 1, column 11: '],
  ])('%s', async (text, reason) => {
    expect(await refusal(text)).toContain(reason);
  });

  test('and a missing file by its name', async () => {
    const none = join(folder, 'none.yaml');
    await expect(load([], { overlays: [none] })).rejects.toThrow(`${none}: there is no such file`);
  });
});
