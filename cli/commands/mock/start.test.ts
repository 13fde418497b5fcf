import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import * as codec from '../../../contract/json/codec.ts';
import { parseJson } from '../../../contract/json/value.ts';
import { packageFile } from '../../package/package-root.ts';

const document = `openapi: 3.0.3
info: {title: Notes, version: 1.0.0}
paths:
  /notes:
    get:
      responses:
        '200':
          description: All notes
          content:
            application/json:
              schema: {type: array, items: {$ref: '#/components/schemas/Note'}}
  /notes/{id}:
    get:
      parameters: [{name: id, in: path, required: true, schema: {type: string}}]
      responses:
        '200': {description: A note, content: {application/json: {schema: {$ref: '#/components/schemas/Note'}}}}
        '404': {description: No such note}
components:
  schemas:
    Note: {type: object, required: [id, text], properties: {id: {type: string}, text: {type: string}}}
`;

const { list, number, openObject, text } = codec;
const coverage = openObject({
  result: list(
    openObject({
      url: text,
      functions: list(openObject({ ranges: list(openObject({ count: number })) })),
    }),
  ),
});

/** Starts a mock; how often the functions of each file of ours were called, without the module itself. */
async function countCalls(yaml: string): Promise<ReadonlyMap<string, readonly number[]>> {
  const folder = await mkdtemp(join(tmpdir(), 'petstore-start-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, 'notes.yaml'), yaml);
  const words = [packageFile('cli/petstore.ts'), 'mock', join(folder, 'notes.yaml'), '--port=0'];
  const child = spawn(process.execPath, words, {
    env: { ...process.env, NODE_V8_COVERAGE: join(folder, 'coverage') },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  child.kill('SIGTERM');
  await once(child, 'exit');
  const root = `${pathToFileURL(packageFile('.')).href}/`;
  const calls = new Map<string, readonly number[]>();
  for (const name of await readdir(join(folder, 'coverage'))) {
    const found = parseJson(await readFile(join(folder, 'coverage', name), 'utf8'));
    for (const { url, functions } of coverage.read(found, '').result)
      if (url.startsWith(root) && !url.includes('/node_modules/'))
        calls.set(
          url.slice(root.length),
          functions.slice(1).map(({ ranges: [whole] }) => whole?.count ?? 0),
        );
  }
  return calls;
}

function filesCalled(calls: ReadonlyMap<string, readonly number[]>, least: number): string[] {
  const found = [...calls].filter(([, counts]) => counts.some((count) => count >= least));
  return found.map(([file]) => file).toSorted();
}

test('a start runs only what it needs: collections and responses are compiled on request', async () => {
  const files = filesCalled(await countCalls(document), 1);
  expect(files).toContain('cli/commands/mock.ts');
  expect(files.length).toBeLessThanOrEqual(60);
  expect(files).not.toContain('contract/resource/inference.ts');
  expect(files).not.toContain('mock/sandbox/service.ts');
}, 60_000);

test('a start walks the document four times', async () => {
  const names = Array.from({ length: 300 }, (_none, at) => `p${at}: {type: string}`);
  const wide = document.replace(
    'text: {type: string}}',
    `text: {type: string}, ${names.join(', ')}}`,
  );
  const walks = [
    // From its text, and within the bounds of documents.
    'contract/source/tree.ts',
    'contract/source/yaml.ts',
    // To repair each value, and then what depends on several schemas.
    'contract/repair/schema-graph.ts',
    'contract/repair/walk.ts',
  ];
  const helpers = [
    'contract/json/edit.ts',
    'contract/json/pointer.ts',
    'contract/json/value.ts',
    'contract/repair/cursor.ts',
    'contract/repair/forms.ts',
    'contract/repair/rules.ts',
    'contract/schema/keyword/keyword.ts',
    'contract/schema/keyword/merged-schema.ts',
    'contract/schema/keywords.ts',
    'contract/source/dialect.ts',
  ];
  const files = filesCalled(await countCalls(wide), names.length);
  expect(files).toEqual([...walks, ...helpers].toSorted());
}, 60_000);
