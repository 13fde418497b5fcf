import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { DiagnosticLog, documentError, diagnosticLevels } from './diagnostic.ts';

test('a ContractError names file, pointer, place and message', () => {
  const place = { line: 2, column: 5 };
  const error = documentError('wrong-type', 'a.yaml', 'is null', { pointer: '#/paths', place });
  expect(error.message).toBe('a.yaml#/paths: line 2, column 5: is null');
  expect(error.name).toBe('ContractError');
  expect(error.diagnostics).toEqual([
    {
      code: 'wrong-type',
      level: 'error',
      file: 'a.yaml',
      line: 2,
      column: 5,
      pointer: '#/paths',
      message: 'is null',
      fix: 'Correct it.',
    },
  ]);
  expect(documentError('not-a-document', 'a.yaml', 'is empty').message).toBe('a.yaml: is empty');
});

test('a hint without its own fix may be intended; an error must be corrected', () => {
  const log = new DiagnosticLog({ name: 'a.yaml' }, {});
  log.report('unsupported-security', '#', 'it is not checked');
  log.report('invalid-server', '#', 'it is not an address');
  expect(log.list().map(({ fix }) => fix)).toEqual([
    'Check whether this is intended.',
    'Correct it; until then it is left out.',
  ]);
});

test('the documentation lists every code with its level', async () => {
  const page = await readFile(`${import.meta.dirname}/../../docs/lint.md`, 'utf8');
  const groups = [...page.matchAll(/^(Error|Warning|Hint)s: ([^]*?)\.$/gm)];
  const listed = groups.flatMap(([, level = '', text = '']) =>
    [...text.replaceAll(/\([^)]*\)/g, '').matchAll(/`([a-z-]+)`/g)].map(([, code]) => [
      code,
      level.toLowerCase(),
    ]),
  );
  expect(Object.fromEntries(listed)).toEqual(diagnosticLevels);
});
