import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { listExpressions, slowCharacter } from './expression.ts';
import { listProjectFiles, projectRoot } from './project-files.ts';

/** Rooms whose text reaches users; the others read our own files only. */
const rooms =
  /^(?:certificate|cli|client|conformance|contract|mock|page|report|traffic|view)\/.*(?<!\.test|\.d)\.ts$/;

test('no expression of the product takes more than linear time', () => {
  const files = listProjectFiles().filter(
    (path) => rooms.test(path) && !path.includes('/testing/'),
  );
  const expressions = files.flatMap((path) =>
    listExpressions(readFileSync(join(projectRoot, path), 'utf8')).map((one) => ({ path, ...one })),
  );
  expect(expressions.length).toBeGreaterThan(500);
  const slow = expressions.flatMap(({ path, ...expression }) => {
    const character = slowCharacter(expression);
    return character === undefined
      ? []
      : [`${path}: /${expression.source}/${expression.flags} of many ${JSON.stringify(character)}`];
  });
  expect(slow).toEqual([]);
});

test.each([
  ['^(a+)+$', true],
  ['a+b', true],
  ['\\s*,\\s*', true],
  ['"(?:[^"\\\\]+|\\\\.)*"', true],
  ['^"(?:[^"\\\\]|\\\\.)*"', false],
  ['^a+b', false],
])('%s is found to be slow: %s', (source, isSlow) => {
  const [expression = { source: '', flags: '' }] = listExpressions(`const one = /${source}/g;`);
  expect(slowCharacter(expression) !== undefined).toBe(isSlow);
});
