import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseAst } from 'vitest/node';
import { isTest } from './import-table.ts';
import { listProjectFiles, projectRoot } from './project-files.ts';

/** Rooms that take lists of others; what only we write is as long as we make it. */
const rooms =
  /^(certificate|cli|client|conformance|contract|mock|page|report|traffic|view)\/.*\.ts$/;

/** Functions of the language that take a list as arguments, which lie on the stack. */
const takers: ReadonlySet<unknown> = new Set(
  'push unshift splice concat max min hypot fromCharCode fromCodePoint apply assign'.split(' '),
);

/** A list that is cut, or written where it is spread, is short. */
const isShort = (argument: object): boolean => {
  const { type, callee } = membersOf(argument);
  const name = nameOf(callee);
  return type === 'ArrayExpression' || name === 'slice' || name === 'subarray';
};

const membersOf = (node: unknown): Readonly<Record<string, unknown>> =>
  typeof node === 'object' && node !== null ? { ...node } : {};

const nameOf = (callee: unknown): unknown => membersOf(membersOf(callee)['property'])['name'];

/** The calls of a module that take a list of any length as arguments. */
function* listSpreads(node: unknown): Generator<string, undefined> {
  if (typeof node !== 'object' || node === null) return;
  const { type, callee, arguments: given } = membersOf(node);
  const taker = nameOf(callee);
  if (type === 'CallExpression' && takers.has(taker) && Array.isArray(given))
    for (const each of given) {
      const spread = membersOf(each);
      if (spread['type'] === 'SpreadElement' && !isShort(membersOf(spread['argument'])))
        yield String(taker);
    }
  for (const member of Object.values(node)) yield* listSpreads(member);
}

const find = (text: string): readonly string[] => [
  ...listSpreads(parseAst(text, { lang: 'ts' }).body),
];

test('no list of any length is spread into arguments: from some 120,000 on that exhausts the stack', () => {
  const paths = listProjectFiles().filter((path) => rooms.test(path) && !isTest(path));
  expect(paths.length).toBeGreaterThan(500);
  const found = paths.flatMap((path) =>
    path.endsWith('.d.ts')
      ? []
      : find(readFileSync(join(projectRoot, path), 'utf8')).map((taker) => `${path}: ${taker}`),
  );
  expect(found).toEqual([]);
});

test.each([
  ['list.push(...more)', true],
  ['this.list.unshift(first, ...more.map(String))', true],
  ['const most = Math.max(0, ...more)', true],
  ['String.fromCharCode(...bytes)', true],
  ['list.push(...more.slice(0, 9))', false],
  ['String.fromCharCode(...bytes.subarray(at, at + 9))', false],
  ['list.push(...[one, two])', false],
  ['const all = [...list, ...more]', false],
])('%s is found: %s', (text, isFound) => {
  expect(find(text).length > 0).toBe(isFound);
});
