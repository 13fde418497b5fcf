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

/** Files of ours in which a function was called; the first function of each is the module itself. */
async function filesThatRan(folder: string): Promise<readonly string[]> {
  const root = `${pathToFileURL(packageFile('.')).href}/`;
  const ran = new Set<string>();
  for (const name of await readdir(folder)) {
    const { result } = coverage.read(parseJson(await readFile(join(folder, name), 'utf8')), '');
    for (const { url, functions } of result)
      if (url.startsWith(root) && !url.includes('/node_modules/'))
        if (functions.slice(1).some(({ ranges: [whole] }) => (whole?.count ?? 0) > 0)) ran.add(url);
  }
  return [...ran].map((url) => url.slice(root.length)).toSorted();
}

test('a start runs what it needs: collections and responses wait for a request', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'petstore-start-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, 'notes.yaml'), document);
  const words = [packageFile('cli/petstore.ts'), 'mock', join(folder, 'notes.yaml'), '--port=0'];
  const child = spawn(process.execPath, words, {
    env: { ...process.env, NODE_V8_COVERAGE: join(folder, 'coverage') },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  child.kill('SIGTERM');
  await once(child, 'exit');
  const files = await filesThatRan(join(folder, 'coverage'));
  expect(files).toContain('cli/commands/mock.ts');
  expect(files.length).toBeLessThanOrEqual(80);
  expect(files).not.toContain('contract/resource/inference.ts');
  expect(files).not.toContain('mock/sandbox/service.ts');
}, 60_000);
