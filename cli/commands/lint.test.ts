import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { packageFile } from '../package/package-root.ts';
import { runCommand } from '../../test/cli/command.ts';

async function lint(...argv: readonly string[]) {
  return await runCommand('lint', ...argv);
}

async function fileOf(text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'lint-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, 'x.yaml'), text);
  return join(folder, 'x.yaml');
}

const head = 'openapi: 3.1.0\ninfo: { title: T, version: "1" }\n';

test('the bundled document has no findings', async () => {
  expect(await lint(packageFile('openapi.yaml'))).toEqual({
    code: 0,
    stdout: '0 errors, 0 warnings, 0 hints\n',
    stderr: '',
  });
});

test('a warning passes and an error does not', async () => {
  const operation = '{ responses: { 2xx: { description: ok } } }';
  const warned = await lint(await fileOf(`${head}paths: { /a: { get: ${operation} } }`));
  expect(warned).toEqual({
    code: 0,
    stdout:
      'x.yaml:3:36 warning #/paths/~1a/get/responses/2xx: 2xx is not a status. Write 2XX; it is read as that. [misspelled-name]\n0 errors, 1 warning, 0 hints\n',
    stderr: '',
  });
  const failed = await lint(await fileOf(`${head}security: [{ k: [] }]\npaths: {}`), '--json');
  expect(failed.code).toBe(1);
  expect(JSON.parse(failed.stdout)).toEqual([
    {
      code: 'unknown-security-scheme',
      level: 'error',
      file: 'x.yaml',
      line: 3,
      column: 14,
      pointer: '#/security/0/k',
      message: 'there is no security scheme k',
      fix: 'Describe it in components.securitySchemes; until then this requirement is ignored.',
    },
  ]);
});

test.each([
  ['YAML cut in a map', `${head}paths:\n  /a`],
  ['YAML cut before its paths', 'openapi: 3.1.0\n\ninfo:\n  title:'],
  ['JSON cut', '{ "openapi": "3.1.0", "info": { "title": "T", "version": "1" }, "paths": {'],
  ['a name twice', `${head}paths: {}\npaths: {}`],
  ['version 1.2', 'swagger: "1.2"\ninfo: { title: T, version: "1" }\npaths: {}'],
])('%s is an error', async (_name, text) => {
  expect((await lint(await fileOf(text))).code).toBe(1);
});

test('a response schema that no value fits is reported', async () => {
  const schema = '{ type: string, not: { type: string } }';
  const response = `{ description: ok, content: { application/json: { schema: ${schema} } } }`;
  const { code, stdout } = await lint(
    await fileOf(`${head}paths: { /a: { get: { responses: { 200: ${response} } } } }`),
  );
  expect(code).toBe(0);
  expect(stdout).toContain('no value was found that fits it: the value must not fit');
});

test('a file that is not a document gives exit code 2, and the others are still reported', async () => {
  const { code, stdout, stderr } = await lint(await fileOf('a: 1'), packageFile('openapi.yaml'));
  expect([code, stdout]).toEqual([2, '0 errors, 0 warnings, 0 hints\n']);
  expect(stderr).toContain('not an OpenAPI document, because it has no `openapi` member');
  expect((await lint(await fileOf('a: 1'))).stdout).toBe('');
  expect((await lint()).code).toBe(2);
});
